import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import type { CommitHash } from '../../shared/model/commit';
import type { Side } from '../../shared/model/side';
import { openRepository } from '../git/openRepository';
import { createTestHost, type TestHost } from './testing/testHost';

/** Comparisons on the sample through the contract: inputs and outputs are validated as they are on the wire. */

let host: TestHost;
let call: TestHost['call'];
let repository: string;
let path: string;
let folder: string;
beforeAll(async () => {
  host = await createTestHost();
  ({ call } = host);
  ({ path } = await call('sample/unpack', {}));
  repository = (await call('repository/open', { path })).id;
  folder = await mkdtemp(join(tmpdir(), 'theta-sides-'));
});
afterAll(async () => {
  await host?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function commitOf(text: string): Promise<CommitHash> {
  const { commit } = await call('revision/resolve', { repository, text });
  if (commit === null) throw new Error(`${text} names no commit`);
  return commit;
}

async function version(text: string, file = 'model.pt'): Promise<Side> {
  return { kind: 'version', repository, commit: await commitOf(text), path: file };
}

const exact = { rtol: 0, atol: 0 };

describe('revision/resolve', () => {
  it('takes branches, tags, hashes and steps back, and gives null for what names nothing', async () => {
    const main = await commitOf('main');
    for (const text of ['HEAD', main.slice(0, 9), 'refs/heads/main', 'main~0']) expect(await commitOf(text)).toBe(main);
    expect(await commitOf('v0')).not.toBe(main);
    for (const text of ['nothing', '--all', '0000000', 'main:model.pt', 'main~99', '$(id)', 'a..b']) {
      expect([text, (await call('revision/resolve', { repository, text })).commit]).toEqual([text, null]);
    }
  });

  it('is the same in the built-in reader, as far as that goes', async () => {
    const git = await openRepository(path, { backend: 'isomorphic' });
    try {
      for (const text of ['HEAD', 'main', 'v1', 'rotated^2', 'main~3']) expect(await git.resolve(text)).toBe(await commitOf(text));
    } finally {
      await git.close();
    }
  });
});

describe('checkpoint/paths', () => {
  it('lists the checkpoints of a commit', async () => {
    expect(await call('checkpoint/paths', { repository, commit: await commitOf('main') })).toEqual(['model.onnx', 'model.pt']);
    const first = (await call('history/page', { repository, offset: 0, limit: 100 })).commits.find(({ parents }) => parents.length === 0);
    expect(await call('checkpoint/paths', { repository, commit: first?.hash ?? (await commitOf('v0')) })).toEqual([]);
  });
});

describe('compare', () => {
  it('opens two versions by their headers and gives numbers of rows', async () => {
    const sides = { a: await version('main~4'), b: await version('main~3') };
    const opened = await call('compare/open', sides);
    expect(opened.a.label).toBe(`model.pt at ${(await commitOf('main~4')).slice(0, 8)}`);
    expect([opened.a.groups, opened.b.storage, opened.metadata]).toEqual([18, 'theta', []]);
    const open = opened.groups.filter(({ change }) => change !== 'unchanged');
    expect(open.map(({ b }) => b?.name)).toEqual(['fc1.weight']);

    const pair = { a: 'fc1.weight', b: 'fc1.weight' };
    const same = { a: 'fc1.bias', b: 'fc1.bias' };
    const [row, equal, missing] = await call('compare/numbers', { ...sides, pairs: [pair, same, { a: 'fc1.weight', b: 'none' }], ...exact });
    expect(row).toMatchObject({ structure: { rank: 2 }, error: null });
    expect(equal).toMatchObject({ numbers: { changed: 0, cosine: 1, relativeL2: 0 }, closeness: null, error: null });
    expect(missing).toMatchObject({ numbers: null, error: { code: 'not-found', place: { group: 'none' } } });

    // A second time from what was kept: the same in every bit. Another tolerance counts anew.
    expect((await call('compare/numbers', { ...sides, pairs: [pair], ...exact }))[0]).toEqual(row);
    const [loose] = await call('compare/numbers', { ...sides, pairs: [pair], rtol: 0, atol: 100 });
    // With a tolerance another kernel runs, whose sums are rounded in another order.
    const rounded = (['cosine', 'norm', 'relativeL2', 'rms', 'meanAbs'] as const).map((name) => [name, expect.closeTo(row?.numbers?.[name] ?? Number.NaN, 12)]);
    expect(loose).toMatchObject({ numbers: { ...row?.numbers, ...Object.fromEntries(rounded), beyond: 0, atol: 100 }, structure: row?.structure });
    const limit = (row?.numbers?.maxAbs ?? 0) / 2;
    const [half] = await call('compare/numbers', { ...sides, pairs: [pair], rtol: 0, atol: limit });
    expect(half?.numbers?.beyond).toBeGreaterThan(0);
    expect(half?.numbers?.beyond).toBeLessThan(row?.numbers?.changed ?? 0);
  });

  it('gives the detail of a row, changed or not', async () => {
    const sides = { a: await version('main~3'), b: await version('main~2') };
    const ask = (name: string) => call('compare/detail', { ...sides, pair: { a: name, b: name }, ...exact, bins: 16, largest: 5 });
    const changed = await ask('classifier.weight');
    expect(changed.structure.scaling?.along).toBe('rows');
    expect(changed.largest).toHaveLength(5);
    expect(Math.abs(changed.largest[0]?.delta ?? 0)).toBeCloseTo(changed.numbers.maxAbs, 12);
    expect(changed.histograms?.a.counts.reduce((sum, count) => sum + count, 0)).toBe(640);
    expect(changed.stats.a.count).toBe(640);
    expect(await ask('classifier.weight')).toEqual(changed);
    const equal = await ask('fc1.weight');
    expect([equal.numbers.changed, equal.largest, equal.stats.a.norm === equal.stats.b.norm]).toEqual([0, [], true]);
    await expect(ask('none')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('compares versions with files, the working tree and other repositories', async () => {
    const other = await unpackRepository('digits');
    try {
      const copied = await call('repository/open', { path: other.path });
      const file = join(folder, 'main.safetensors');
      await call('export/run', { repository, commit: await commitOf('main'), path: 'model.pt', destination: file, format: 'safetensors', overwrite: true });
      const sides: Side[] = [
        { kind: 'version', repository: copied.id, commit: await commitOf('main'), path: 'model.pt' },
        { kind: 'file', path: file },
        { kind: 'worktree', repository, path: 'model.pt' },
      ];
      const a = await version('main');
      for (const b of sides) {
        const opened = await call('compare/open', { a, b });
        const pairs = opened.groups.map((row) => ({ a: row.a?.name ?? '', b: row.b?.name ?? '' }));
        const rows = await call('compare/numbers', { a, b, pairs, ...exact });
        expect([opened.b.label, rows.map(({ numbers }) => numbers?.changed)]).toEqual([opened.b.label, Array(18).fill(0)]);
      }
      expect((await call('compare/open', { a, b: sides[2] ?? a })).b.label).toMatch(/model\.pt/);
    } finally {
      await other.dispose();
    }
  });

  it('sees that a file was written anew', async () => {
    const sources = fileURLToPath(new URL('../../e2e/fixtures/numbers/', import.meta.url));
    const file = join(folder, 'changing.safetensors');
    await cp(join(sources, 'a.safetensors'), file);
    const sides: { a: Side; b: Side } = { a: { kind: 'file', path: join(sources, 'a.safetensors') }, b: { kind: 'file', path: file } };
    const pairs = [{ a: 'sparse_1pct', b: 'sparse_1pct' }];
    expect((await call('compare/numbers', { ...sides, pairs, ...exact }))[0]?.numbers?.changed).toBe(0);
    await cp(join(sources, 'b.safetensors'), file);
    expect((await call('compare/numbers', { ...sides, pairs, ...exact }))[0]?.numbers?.changed).toBe(77);
  });

  it('says why a side cannot be opened', async () => {
    const a = await version('main');
    await expect(call('compare/open', { a, b: { kind: 'file', path: join(folder, 'none') } })).rejects.toMatchObject({ code: 'not-found' });
    await expect(call('compare/open', { a, b: { kind: 'version', repository: 'x', commit: await commitOf('main'), path: 'm' } })).rejects.toMatchObject({
      code: 'not-found',
    });
    const text = join(folder, 'text.pt');
    await writeFile(text, 'hello');
    await expect(call('compare/open', { a, b: { kind: 'file', path: text } })).rejects.toMatchObject({ code: 'unsupported-format', place: { file: text } });
  });

  it('gives the error of a damaged object to its row', async () => {
    const broken = await unpackRepository('g-lfs-bitflip');
    try {
      const { id } = await call('repository/open', { path: broken.path });
      const at = async (text: string): Promise<Side> => {
        const { commit } = await call('revision/resolve', { repository: id, text });
        if (commit === null) throw new Error('no commit');
        return { kind: 'version', repository: id, commit, path: 'm.pt' };
      };
      const sides = { a: await at('HEAD~1'), b: await at('HEAD') };
      const { groups } = await call('compare/open', sides);
      const rows = await call('compare/numbers', { ...sides, pairs: groups.map(({ b }) => ({ a: b?.name ?? '', b: b?.name ?? '' })), ...exact });
      const failed = groups.flatMap(({ b }, index) => (rows[index]?.error == null ? [] : [[b?.name, rows[index].error.code]]));
      expect(failed).toEqual([['w', 'corrupt-object']]);
      expect(rows.length).toBeGreaterThan(1);
    } finally {
      await broken.dispose();
    }
  });
});

describe('side/slice', () => {
  it('gives part of a group, and says when there is no such part', async () => {
    const side = await version('main');
    const view = { rowAxis: 0, columnAxis: 1, fixed: [0, 0], rows: [0, 10] as [number, number], columns: [0, 64] as [number, number] };
    const whole = await call('side/slice', { side, group: 'classifier.weight', view, maxRows: 100, maxColumns: 100 });
    expect([whole.shape, whole.preview.rows, whole.preview.columns]).toEqual([[10, 64], 10, 64]);
    const part = await call('side/slice', { side, group: 'classifier.weight', view: { ...view, rows: [3, 4], columns: [5, 9] }, maxRows: 9, maxColumns: 9 });
    expect(part.preview.values).toEqual(whole.preview.values.slice(3 * 64 + 5, 3 * 64 + 9));
    expect(await call('side/slice', { side, group: 'classifier.weight', view, maxRows: 100, maxColumns: 100 })).toEqual(whole);
    const outside = { ...view, rows: [0, 11] as [number, number] };
    await expect(call('side/slice', { side, group: 'classifier.weight', view: outside, maxRows: 9, maxColumns: 9 })).rejects.toMatchObject({
      code: 'invalid-request',
      place: { group: 'classifier.weight' },
    });
  });
});
