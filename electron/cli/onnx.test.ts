import { access, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import * as ort from 'onnxruntime-web';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { runTheta } from './testing/runTheta';

const FIXTURES = join(import.meta.dirname, '../../e2e/fixtures');
const DIGITS = join(FIXTURES, 'digits/checkpoints');

let digits: UnpackedRepository;
let folder: string;
let model: string;
beforeAll(async () => {
  digits = await unpackRepository('digits');
  folder = await mkdtemp(join(tmpdir(), 'theta-onnx-test-'));
});
afterAll(async () => {
  await digits.dispose();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  model = join(folder, 'model.onnx');
  await cp(join(DIGITS, '02_digits.onnx'), model);
});

const out = () => join(folder, 'out.onnx');
const theta = (...args: string[]) => runTheta('-C', folder, 'onnx', ...args);
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** What the runtime computes for one picture. */
async function logits(path: string): Promise<number[]> {
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(path)), { executionProviders: ['wasm'] });
  const image = new ort.Tensor(
    'float32',
    Float32Array.from({ length: 64 }, (_, i) => (i * 7 + 3) % 16),
    [1, 1, 8, 8],
  );
  const { logits: found } = await session.run({ image });
  return Array.from((found?.data as Float32Array | undefined) ?? []);
}

const initializers = async (path: string) => onnx.ModelProto.decode(await readFile(path)).graph?.initializer?.map(({ name }) => name) ?? [];

describe('theta onnx ls', () => {
  it('lists what git holds at a revision', async () => {
    const { code, out: text } = await runTheta('-C', digits.path, 'onnx', 'ls', '--json', 'main~4:model.onnx');
    expect(code).toBe(0);
    const listed = JSON.parse(text) as { initializers: { name: string; scope: string; dtype: string; shape: number[]; used_by: string[] }[] };
    expect(listed.initializers).toContainEqual(
      expect.objectContaining({ name: 'onnx::Conv_35', scope: '', dtype: 'float32', shape: [32, 16, 3, 3], used_by: ['Conv /encoder/body/conv/Conv'] }),
    );
    expect(listed.initializers).toHaveLength(8);
  });

  it('lists every model that is hard to read, and says what is wrong at the tensor that it concerns', async () => {
    for (const name of ['ext', 'hard', 'typed', 'types']) {
      const { code, out: text, err } = await theta('ls', join(FIXTURES, `onnx/${name}.onnx`));
      expect([name, code, err]).toEqual([name, 0, '']);
      expect(text.split('\n').length).toBeGreaterThan(2);
    }
  });

  it('refuses a checkpoint that is no ONNX model', async () => {
    const { code, err } = await theta('ls', join(DIGITS, '02_digits.pt'));
    expect(code).toBe(1);
    expect(err).toContain('Only ONNX models');
  });
});

describe('theta onnx rename', () => {
  it('takes a mapping; the runtime computes the same, and back it is the same file', async () => {
    const map = { 'onnx::Conv_32': 'stem.weight', 'onnx::Conv_33': 'stem.bias', 'fc1.weight': 'fc1.bias', 'fc1.bias': 'fc1.weight' };
    await writeFile(join(folder, 'map.json'), JSON.stringify(map));
    const { code, err } = await theta('rename', model, '--map', 'map.json', '-o', out(), '--force');
    expect([code, err]).toEqual([0, expect.stringContaining('Wrote ')]);
    expect(await initializers(out())).toEqual([
      'fc1.bias',
      'fc1.weight',
      'classifier.weight',
      'classifier.bias',
      'stem.weight',
      'stem.bias',
      'onnx::Conv_35',
      'onnx::Conv_36',
    ]);
    expect(await logits(out())).toEqual(await logits(model));
    await writeFile(
      join(folder, 'back.csv'),
      `old,new\n${Object.entries(map)
        .map(([from, to]) => `${to},${from}\n`)
        .join('')}`,
    );
    const back = join(folder, 'back.onnx');
    expect((await theta('rename', out(), '--map', 'back.csv', '-o', back, '--force')).code).toBe(0);
    expect((await readFile(back)).equals(await readFile(model))).toBe(true);
  });

  it('takes pairs and patterns', async () => {
    expect((await theta('rename', model, 'fc1.weight', 'head.w', '-o', out(), '--force')).code).toBe(0);
    expect(await initializers(out())).toContain('head.w');
    const { code } = await theta('rename', model, '--pattern', '^onnx::Conv_(\\d+)$', '--replace', 'conv.$1', '-o', out(), '--force');
    expect(code).toBe(0);
    expect((await initializers(out())).slice(4)).toEqual(['conv.32', 'conv.33', 'conv.35', 'conv.36']);
  });

  it('finds a value by where it stands in the graph, as a name and in a mapping', async () => {
    const nodes = onnx.ModelProto.decode(await readFile(model)).graph?.node ?? [];
    const second = nodes.filter(({ opType }) => opType === 'Conv')[1]?.input?.[1] ?? expect.fail();
    const last = nodes.findLast(({ opType }) => opType === 'Gemm')?.input?.[2] ?? expect.fail();
    expect((await theta('rename', model, 'conv[1].weight', 'body.w', 'gemm[1].bias', 'last.b', '-o', out(), '--force')).code).toBe(0);
    const renamed = new Map((await initializers(model)).map((name) => [name, name === second ? 'body.w' : name === last ? 'last.b' : name]));
    expect(await initializers(out())).toEqual([...renamed.values()]);
    expect((await theta('set', model, 'gemm[1].bias', '--constant', '0', '-o', out(), '--force')).code).toBe(0);
    const set = onnx.ModelProto.decode(await readFile(out())).graph?.initializer?.find(({ name }) => name === last);
    expect(Buffer.from(set?.rawData ?? [1]).equals(Buffer.alloc(40))).toBe(true);
    const { code, err } = await theta('rename', model, 'conv[2].weight', 'x', '-o', out(), '--force');
    expect([code, err]).toEqual([1, expect.stringContaining('no value of the model is called "conv[2].weight"')]);
  });

  it('ends with 1 and writes nothing when it is refused, as a whole', async () => {
    await rm(out(), { force: true });
    for (const names of [
      ['fc1.weight', 'image'],
      ['fc1.weight', 'new', 'no such name', 'x'],
      ['fc1.weight', ''],
      ['fc1.weight', 'same', 'fc1.bias', 'same'],
    ]) {
      const { code, err } = await theta('rename', model, ...names, '-o', out());
      expect([names, code]).toEqual([names, 1]);
      expect(err).toContain('Nothing was written');
      expect(await exists(out())).toBe(false);
    }
  });

  it('writes nothing in a dry run, and never over a file unless told to', async () => {
    await rm(out(), { force: true });
    const dry = await theta('rename', model, 'fc1.weight', 'w', '-o', out(), '--dry-run', '--json');
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.out)).toMatchObject({ title: expect.stringContaining('Rename'), refusals: [], written: null });
    expect(await exists(out())).toBe(false);
    const before = await readFile(model);
    const { code, err } = await theta('rename', model, 'fc1.weight', 'w', '-o', model);
    expect([code, (await readFile(model)).equals(before)]).toEqual([1, true]);
    expect(err).toContain('--force');
    expect((await theta('rename', model, 'fc1.weight', 'w', '-o', model, '--force')).code).toBe(0);
    expect(await initializers(model)).toContain('w');
  });
});

describe('theta onnx name', () => {
  it('names after nodes, and prints a mapping that rename takes', async () => {
    const { out: text, code } = await theta('name', model, '--print-map');
    expect(code).toBe(0);
    expect(JSON.parse(text)).toEqual({
      'onnx::Conv_32': 'encoder.stem.conv.weight',
      'onnx::Conv_33': 'encoder.stem.conv.bias',
      'onnx::Conv_35': 'encoder.body.conv.weight',
      'onnx::Conv_36': 'encoder.body.conv.bias',
    });
    await writeFile(join(folder, 'named.json'), text);
    expect((await theta('rename', model, '--map', 'named.json', '-o', out(), '--force')).code).toBe(0);
    expect(await logits(out())).toEqual(await logits(model));
  });

  it('says that a weight is a convolution of the checkpoint with its BatchNorm folded in', async () => {
    const { err, code } = await runTheta('-C', digits.path, 'onnx', 'name', 'main~6:model.onnx', '--from', 'main~6:model.pt', '--dry-run');
    expect(code).toBe(0);
    expect(err).toMatch(/encoder\.stem\.conv\.weight with the BatchNorm encoder\.stem\.norm folded in/);
  });
});

describe('theta onnx set, remove, splice, external', () => {
  it('sets a constant, exactly where it was asked for', async () => {
    expect((await theta('set', model, 'classifier.bias', '--constant', '0', '-o', out(), '--force')).code).toBe(0);
    const tensors = onnx.ModelProto.decode(await readFile(out())).graph?.initializer ?? [];
    const zeros = tensors.find(({ name }) => name === 'classifier.bias');
    expect(Buffer.from(zeros?.rawData ?? [1]).equals(Buffer.alloc(40))).toBe(true);
    expect((await logits(out())).some((value, i) => value !== 0 && i >= 0)).toBe(true);
  });

  it('takes the value of another version and gives the results of that version', async () => {
    const later = join(DIGITS, '03_head.onnx');
    await cp(model, out());
    for (const name of ['classifier.weight', 'classifier.bias']) {
      expect((await theta('set', out(), name, '--from', later, '-o', out(), '--force')).code).toBe(0);
    }
    // Only the head was trained between the two.
    expect(await logits(out())).toEqual(await logits(later));
  });

  it('refuses another shape unless it is meant', async () => {
    await rm(out(), { force: true });
    const { code, err } = await theta('set', model, 'fc1.bias', '--from', model, '--group', 'classifier.bias', '-o', out());
    expect([code, await exists(out())]).toEqual([1, false]);
    expect(err).toMatch(/\[64\].*\[10\]|\[10\].*\[64\]/);
  });

  it('leads around a node whose input and output have one type, and not around another', async () => {
    // Shapes are inferred: the model says nothing about what is between its nodes.
    const bypassed = await theta('remove', model, '--node', '/encoder/stem/Relu', '--bypass', '-o', out(), '--force');
    expect([bypassed.code, await logits(out())]).not.toEqual([0, await logits(model)]);
    expect(onnx.ModelProto.decode(await readFile(out())).graph?.node?.map(({ name }) => name)).not.toContain('/encoder/stem/Relu');
    const pooled = await theta('remove', model, '--node', '/encoder/MaxPool', '--bypass', '-o', out(), '--force');
    expect([pooled.code, pooled.err]).toEqual([1, expect.stringContaining('16, 8, 8')]);
    const refused = await theta('remove', model, '--node', '/Relu', '-o', out(), '--force');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('/classifier/Gemm');
    expect((await theta('remove', model, '--initializer', 'fc1.weight', '-o', out(), '--force')).code).toBe(1);
  });

  it('moves the weights into a file and back; the runtime computes the same', async () => {
    const outside = join(folder, 'outside.onnx');
    await rm(join(folder, 'w.bin'), { force: true });
    expect((await theta('external', model, '--file', 'w.bin', '--at-least', '1000', '-o', outside, '--force')).code).toBe(0);
    expect((await stat(outside)).size).toBeLessThan(6000);
    expect((await theta('external', outside, '-o', out(), '--force')).code).toBe(0);
    expect(await logits(out())).toEqual(await logits(model));
  });
});

describe('theta onnx with the wrong words', () => {
  it.each([
    [['rename', 'model.onnx']],
    [['rename', 'model.onnx', 'fc1.weight']],
    [['rename', 'model.onnx', '--pattern', 'a']],
    [['rename', 'model.onnx', '--replace', 'a']],
    [['set', 'model.onnx', 'fc1.bias']],
    [['set', 'model.onnx', 'fc1.bias', '--constant', '1', '--from', 'x.pt']],
    [['remove', 'model.onnx']],
  ])('%j ends with 2', async (words) => {
    const { code, err } = await theta(...words);
    expect([code, err.startsWith('error: ')]).toEqual([2, true]);
  });

  it('says which mapping is not there, without a trace of the program', async () => {
    const { code, err } = await theta('rename', model, '--map', 'nowhere.csv');
    expect(code).toBe(1);
    expect(err).toContain('nowhere.csv');
    expect(err).not.toMatch(/ENOENT|\.ts:|\.js:/);
  });
});

describe('theta onnx diff and check', () => {
  it('tells a rename from a change of values', async () => {
    await theta('rename', model, 'fc1.weight', 'w', '-o', out(), '--force');
    const { out: text, code } = await theta('diff', model, out(), '--exit-code');
    expect([text, code]).toEqual(['→ initializer fc1.weight → w float[64, 128]\n', 1]);
    const equal = await theta('diff', model, model, '--exit-code');
    expect([equal.out, equal.code]).toEqual(['The models are equal.\n', 0]);
    const versions = await runTheta('-C', digits.path, 'onnx', 'diff', '--json', 'main~5:model.onnx', 'main~4:model.onnx');
    const { changes } = JSON.parse(versions.out) as { changes: { what: string; change: string; text: string }[] };
    expect(changes.every(({ what, change }) => what === 'initializer' && change === 'value')).toBe(true);
    expect(changes.map(({ text: line }) => line)).toContainEqual(expect.stringMatching(/^fc1\.weight float\[64, 128\]: \d+ of 8192 values changed/));
  });

  it('ends with 1 for a model that is not valid', async () => {
    expect((await theta('check', model)).code).toBe(0);
    const bytes = onnx.ModelProto.encode(
      onnx.ModelProto.create({
        irVersion: 8,
        opsetImport: [{ domain: '', version: 17 }],
        graph: { name: 'g', node: [{ opType: 'Relu', input: ['nowhere'], output: ['y'] }] },
      }),
    ).finish();
    await writeFile(out(), bytes);
    const { code, out: text } = await theta('check', out());
    expect(code).toBe(1);
    expect(text).toContain('nowhere');
    // A file beside the model that is not there.
    await cp(join(FIXTURES, 'onnx/ext.onnx'), join(folder, 'ext.onnx'));
    const missing = await theta('check', 'ext.onnx');
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('w.bin')]);
  });
});
