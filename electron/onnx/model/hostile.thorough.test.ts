import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../../shared/contract/errors';
import { body, floats, info, node, smallModel } from '../edits/testing/smallModel';
import { HARD_MODELS } from '../testing/realModels';
import { wholeEngine } from '../testing/wholeEngine';

const DIGITS = join(import.meta.dirname, '../../../e2e/fixtures/digits/checkpoints/01_init.onnx');

/** A model with most of what the format has, small enough that every byte of it can be damaged. */
function everything(): Uint8Array {
  const graph = {
    node: [
      node('Conv', ['x', 'w', ''], ['c'], { name: 'stem/conv', attribute: [{ name: 'pads', type: 7, ints: [1, 1, -1, 1] }] }),
      node('Constant', [], ['k'], { attribute: [{ name: 'value', type: 4, t: { dims: [1], dataType: 7, int64Data: [3], name: 'k' } }] }),
      node('If', ['flag'], ['y'], {
        name: 'stem/if',
        attribute: [
          body('then_branch', { node: [node('Add', ['c', 'w'], ['t'])], output: [info('t', [1])] }),
          body('else_branch', { node: [node('Own', ['c'], ['e'], { domain: 'own' })], output: [info('e', [1])], initializer: [floats('inner', [1], [1])] }),
        ],
      }),
      node('Reshape', ['y', 'k'], ['z'], { docString: 'doc' }),
    ],
    input: [info('x', ['n', 3, 8, 8]), info('flag', [], 9)],
    output: [info('z', null)],
    valueInfo: [info('c', [1, 2])],
    initializer: [
      floats('w', [2, 3, 1, 1], [1, 2, 3, 4, 5, 6]),
      {
        name: 'ext',
        dims: [2],
        dataType: 1,
        dataLocation: 1,
        externalData: [
          { key: 'location', value: 'w.bin' },
          { key: 'offset', value: '4' },
          { key: 'length', value: '8' },
        ],
      },
    ],
    sparseInitializer: [{ dims: [4], values: floats('s', [1], [1]), indices: { dims: [1], dataType: 7, int64Data: [2] } }],
    quantizationAnnotation: [{ tensorName: 'w', quantParameterTensorNames: [{ key: 'SCALE_TENSOR', value: 's' }] }],
  };
  const functions = [
    {
      name: 'Own',
      domain: 'own',
      input: ['i'],
      output: ['o'],
      attribute: ['a'],
      node: [node('Relu', ['i'], ['o'])],
      opsetImport: [{ domain: '', version: 13 }],
    },
  ];
  const trainingInfo = [{ algorithm: { node: [node('Add', ['w', 'w'], ['w2'])] }, updateBinding: [{ key: 'w', value: 'w2' }] }];
  return smallModel(graph, {
    functions,
    trainingInfo,
    opsetImport: [
      { domain: '', version: 13 },
      { domain: 'own', version: 1 },
    ],
    metadataProps: [{ key: 'a', value: 'b' }],
  });
}

/** Either the engine gets through, or it says what is wrong and where. */
async function attempt(bytes: Uint8Array, what: string): Promise<boolean> {
  try {
    await wholeEngine(bytes);
    return true;
  } catch (error) {
    if (!isCheckpointError(error)) throw new Error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, { cause: error });
    if (!['malformed', 'truncated', 'too-large'].includes(error.code)) throw new Error(`${what}: ${error.code} ${error.message}`, { cause: error });
    if (error.place.file === undefined) throw new Error(`${what}: no file is named: ${error.message}`, { cause: error });
    if (error.place.offset === undefined && error.message !== 'The model has no graph.')
      throw new Error(`${what}: no place: ${error.message}`, { cause: error });
    return false;
  }
}

/** Places of a file that are tried. */
const PLACES = 5;

/** Cuts and changes all over the file, to what is likely to hurt and to something at random (a linear congruential generator: always the same). */
async function fuzzEngine(bytes: Uint8Array, end = bytes.byteLength): Promise<{ read: number; refused: number }> {
  const counts = { read: 0, refused: 0 };
  const count = (isRead: boolean) => counts[isRead ? 'read' : 'refused']++;
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  for (let place = 0; place < PLACES; place++) {
    const at = Math.min(end - 1, Math.floor(((place + random() / 2 ** 32) * end) / PLACES));
    count(await attempt(bytes.subarray(0, at), `cut at ${at}`));
    for (const value of [0x00, 0xff, 0x80, random() >>> 24]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      count(await attempt(changed, `byte ${at} set to ${value}`));
    }
  }
  return counts;
}

describe('damaged models', () => {
  it('are read or refused with their place, wherever they are cut or changed', async () => {
    const bytes = everything();
    await wholeEngine(bytes);
    const { read, refused } = await fuzzEngine(bytes);
    expect(read).toBeGreaterThan(2);
    expect(refused).toBeGreaterThan(2);
  });

  it.each(HARD_MODELS)('%s', async (path) => {
    const { read, refused } = await fuzzEngine(await readFile(path));
    expect(read).toBeGreaterThan(2);
    expect(refused).toBeGreaterThan(2);
  });

  it('a real one', async () => {
    const bytes = await readFile(DIGITS);
    const { read } = await fuzzEngine(bytes, 400);
    expect(read).toBeGreaterThan(2);
  });
});
