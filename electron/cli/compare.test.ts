import { mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { runTheta } from './testing/runTheta';

const NUMBERS = fileURLToPath(new URL('../../e2e/fixtures/numbers/', import.meta.url));

let digits: UnpackedRepository;
let folder: string;
beforeAll(async () => {
  digits = await unpackRepository('digits');
  folder = await mkdtemp(join(tmpdir(), 'theta-compare-'));
});
afterAll(async () => {
  await digits.dispose();
  await rm(folder, { recursive: true, force: true });
});

const group = v.looseObject({
  name: v.string(),
  dtype: v.string(),
  shape: v.array(v.number()),
  max_abs: v.number(),
  mean_abs: v.number(),
  relative_l2: v.nullable(v.number()),
  cosine: v.nullable(v.number()),
  changed_share: v.number(),
  rank: v.nullable(v.number()),
  changed: v.number(),
  elements: v.number(),
  rms: v.number(),
  sign_flips: v.number(),
  words: v.array(v.string()),
  scaling: v.nullable(v.looseObject({ along: v.string() })),
});
const side = v.looseObject({ name: v.string(), dtype: v.string(), shape: v.array(v.number()) });
const documentSchema = v.looseObject({
  added: v.array(side),
  removed: v.array(side),
  renamed: v.array(v.looseObject({ name: v.string(), renamed_from: v.string(), renamed_by: v.string() })),
  modified: v.array(group),
  unchanged: v.number(),
});

async function compareJson(...args: string[]) {
  const { out, code, err } = await runTheta('-C', digits.path, 'compare', ...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return v.parse(documentSchema, JSON.parse(out));
}

describe('theta compare', () => {
  it('shows what a FISH mask changed: 1 % of the elements of 4 groups', async () => {
    const { added, removed, renamed, modified, unchanged } = await compareJson('main~5:model.pt', 'main~4:model.pt');
    expect([added, removed, renamed]).toEqual([[], [], []]);
    expect(modified.length + unchanged).toBe(18);
    expect(modified.map(({ name }) => name).sort()).toEqual(['classifier.weight', 'encoder.body.conv.weight', 'encoder.stem.conv.weight', 'fc1.weight']);
    const sum = (key: 'changed' | 'elements') => modified.reduce((total, row) => total + row[key], 0);
    expect(sum('changed') / sum('elements')).toBeCloseTo(0.01, 3);
  });

  it('says that LoRA is a rank-2 update', async () => {
    const { modified, unchanged } = await compareJson('main~4:model.pt', 'main~3:model.pt');
    expect(modified.map(({ name, rank }) => [name, rank])).toEqual([['fc1.weight', 2]]);
    expect(modified[0]?.words.join()).toContain('rank-2');
    expect(unchanged).toBe(17);
  });

  it('finds IA3 as a scaling of the rows', async () => {
    const { modified } = await compareJson('main~3:model.pt', 'main~2:model.pt');
    expect(modified.map(({ name, scaling }) => [name, scaling?.along])).toEqual([['classifier.weight', 'rows']]);
  });

  it('shows groups that came and went', async () => {
    const came = await compareJson('main~2:model.pt', 'main~1:model.pt');
    expect([came.added.map(({ name }) => name), came.removed, came.modified, came.unchanged]).toEqual([['aux.bias', 'aux.weight'], [], [], 18]);
    const went = await compareJson('main~1:model.pt', 'main:model.pt');
    expect([went.added, went.removed.map(({ name }) => name), went.unchanged]).toEqual([[], ['aux.bias', 'aux.weight'], 18]);
  });

  it('puts an average between its parents', async () => {
    const [one, other, both] = [
      await compareJson('rotated^1:model.pt', 'rotated:model.pt'),
      await compareJson('rotated^2:model.pt', 'rotated:model.pt'),
      await compareJson('rotated^1:model.pt', 'rotated^2:model.pt'),
    ];
    // Counters are whole numbers: no average of theirs lies in the middle.
    for (const row of both.modified.filter(({ dtype }) => dtype === 'float32')) {
      const halves = [one, other].map(({ modified }) => modified.find(({ name }) => name === row.name));
      for (const half of halves) expect(half?.max_abs ?? 0).toBeLessThanOrEqual(row.max_abs / 2 + 1e-6);
    }
    expect(both.modified.length).toBeGreaterThan(10);
  });

  it('follows the names that an ONNX exporter counts', async () => {
    const { renamed, added, removed, modified } = await compareJson('main~2:model.onnx', 'main~1:model.onnx');
    expect([renamed.map(({ name, renamed_from }) => [renamed_from, name]), added, removed, modified]).toEqual([
      [
        ['onnx::Conv_32', 'onnx::Conv_34'],
        ['onnx::Conv_33', 'onnx::Conv_35'],
        ['onnx::Conv_35', 'onnx::Conv_37'],
        ['onnx::Conv_36', 'onnx::Conv_38'],
      ],
      [],
      [],
      [],
    ]);
  });

  it('gives the numbers that NumPy gives', async () => {
    const expected = v.parse(
      v.looseObject({ pairs: v.record(v.string(), v.looseObject({ max_abs: v.number(), changed_bitwise: v.number() })) }),
      JSON.parse(await readFile(join(NUMBERS, 'expected.json'), 'utf8')),
    );
    const { modified, unchanged } = await compareJson(join(NUMBERS, 'a.safetensors'), join(NUMBERS, 'b.safetensors'));
    expect(unchanged).toBe(1);
    for (const row of modified) {
      const right = expected.pairs[row.name];
      expect([row.name, row.changed]).toEqual([row.name, right?.changed_bitwise]);
      expect(row.max_abs).toBeCloseTo(right?.max_abs ?? Number.NaN, 10);
    }
  });

  it('compares a version with a file of another format', async () => {
    const file = join(folder, 'copy.safetensors');
    expect((await runTheta('-C', digits.path, 'export', 'main:model.pt', file)).code).toBe(0);
    const same = await compareJson('main:model.pt', file);
    expect([same.added, same.removed, same.renamed, same.modified, same.unchanged]).toEqual([[], [], [], [], 18]);
    const other = await compareJson('main~1:model.pt', file);
    expect(other.removed.map(({ name }) => name)).toEqual(['aux.bias', 'aux.weight']);
  });

  it('looks only at the groups that are asked for', async () => {
    const { modified, unchanged } = await compareJson('main~5:model.pt', 'main~4:model.pt', '--group', 'fc1');
    expect(modified.length + unchanged).toBe(2);
    const wrong = await runTheta('-C', digits.path, 'compare', 'a', 'b', '--group', '/(/');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('is no regular expression')]);
    expect((await runTheta('compare', 'a', 'b', '--rtol', '-1')).code).toBe(2);
  });

  it('takes groups within a tolerance for unchanged', async () => {
    const exact = await compareJson('main~5:model.pt', 'main~4:model.pt');
    const near = await compareJson('main~5:model.pt', 'main~4:model.pt', '--atol', '10');
    expect(exact.modified.length).toBeGreaterThan(0);
    expect([near.modified, near.unchanged]).toEqual([[], 18]);
    const again = await compareJson('main~5:model.pt', 'main~4:model.pt', '--rtol', '1e-12');
    expect(again.modified.map(({ name }) => name)).toEqual(exact.modified.map(({ name }) => name));
  });

  it('ends with 1 when they differ and with 3 when nobody can tell', async () => {
    const code = async (...args: string[]) => (await runTheta('-C', digits.path, 'compare', ...args, '--exit-code')).code;
    expect(await code('main:model.pt', 'main:model.pt')).toBe(0);
    expect(await code('main~1:model.pt', 'main:model.pt')).toBe(1);
    expect(await code('main~1:model.pt', 'main:model.pt', '--group', 'fc1')).toBe(0);
    expect(await code('main~1:model.pt', 'nothing:model.pt')).toBe(3);
    expect(await code('main:model.pt')).toBe(2);
    expect((await runTheta('-C', digits.path, 'compare', 'main:model.pt', 'nothing:model.pt')).code).toBe(1);
  });

  it('prints a table and the sentence', async () => {
    const { out } = await runTheta('-C', digits.path, 'compare', 'main~4:model.pt', 'main~3:model.pt');
    expect(out).toMatch(/^A main~4:model\.pt\nB main~3:model\.pt\n/);
    expect(out).toMatch(/MODIFIED {2}fc1\.weight {2}float32 .*rank-2/);
    expect(out).toMatch(/\n1 of 18 groups changed, \d+ % of the elements, in fc1\.weight\.\n$/);
  });

  it('compares the others when a group is damaged', async () => {
    const broken = await unpackRepository('g-lfs-missing');
    try {
      const { code, out, err } = await runTheta('-C', broken.path, 'compare', 'HEAD~1:m.pt', 'HEAD:m.pt', '--json');
      expect(code).toBe(1);
      expect(err).toContain('is not in the Git LFS store');
      expect(JSON.parse(out)).toMatchObject({ failed: [{ name: 'w', error: { code: 'missing-object' } }] });
      // Both versions name the same object: nobody needs it to know that nothing has changed.
      expect((await runTheta('-C', broken.path, 'compare', 'HEAD~2:m.pt', 'HEAD~1:m.pt', '--group', 'w')).code).toBe(0);
      expect((await runTheta('-C', broken.path, 'compare', 'HEAD~1:m.pt', 'HEAD:m.pt', '--group', 'w', '--exit-code')).code).toBe(3);
    } finally {
      await broken.dispose();
    }
  });

  it('gives the same from what it has kept, and without it', async () => {
    const first = await compareJson('main~5:model.pt', 'main~4:model.pt');
    const results = join(digits.path, '.git', 'theta-desktop', 'results', 'newer');
    expect((await readFile(results)).length).toBeGreaterThan(100);
    expect(await compareJson('main~5:model.pt', 'main~4:model.pt')).toEqual(first);
    await writeFile(results, 'not what it was');
    expect(await compareJson('main~5:model.pt', 'main~4:model.pt')).toEqual(first);
    await unlink(results);
    expect(await compareJson('main~5:model.pt', 'main~4:model.pt')).toEqual(first);
  });
});
