import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { readSmallTensors } from '../infer/readSmallTensors';
import { readModel } from '../model/readModel';
import { planEdit } from './planEdit';
import { adds } from './testing/setting';
import { floats } from './testing/smallModel';

async function sitesOf(values: readonly number[], text: string) {
  const source = memorySource(adds(floats('W', [values.length], values)));
  const model = await readModel(source, { file: 'model.onnx' });
  const context = { pathOf: () => null, small: await readSmallTensors(model, source), modelFile: 'model.onnx', other: null };
  const edit = { kind: 'set-value', address: { graph: '', name: 'W' }, value: { kind: 'constant', text }, allowChange: false } as const;
  const { sites } = await planEdit(model, edit, context);
  return sites.map(({ before, after }) => [before, after]);
}

describe('the review of a new value', () => {
  it.each([
    [[1, 2], '0.5', 'float[2], 8 B in the model: 1, 2', 'float[2], 8 B in the model: 0.5'],
    [[0.25, 0.25], 'nan', 'float[2], 8 B in the model: 0.25', 'float[2], 8 B in the model: nan'],
    [[1, 2, 3, 4, 5, 6], '0', 'float[6], 24 B in the model: 1, 2, 3, 4, …', 'float[6], 24 B in the model: 0'],
  ])('says what stands there and will: %j, then %s', async (values, text, before, after) => {
    expect(await sitesOf(values, text)).toEqual([[before, after]]);
  });

  it('says nothing of elements that would have to be read', async () => {
    const [site] = await sitesOf(new Array<number>(65).fill(1), '0');
    expect(site?.[0]).toBe('float[65], 260 B in the model');
  });
});
