import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { runTheta } from './testing/runTheta';

/** The history of the sample is told in assets/sample/README.md. */
let unpacked: UnpackedRepository;
beforeAll(async () => {
  unpacked = await unpackRepository('digits');
});
afterAll(() => unpacked.dispose());

const theta = (...args: string[]) => runTheta('-C', unpacked.path, ...args);

const FISH = 'd0d39a5074';
const LORA = '2d62dd1acd';
const TRAINED = 'bfd92606fa';

const version = v.looseObject({ commit: v.string(), change: v.string(), stored_bytes: v.number() });
const document = v.object({
  path: v.string(),
  omitted: v.number(),
  commits: v.array(v.looseObject({ commit: v.string(), title: v.string(), touched: v.boolean() })),
  groups: v.array(v.object({ name: v.string(), dtype: v.string(), shape: v.array(v.number()), bytes: v.number(), versions: v.array(version) })),
});

describe('theta timeline', () => {
  it('says what every commit did, oldest first', async () => {
    const { code, out, err } = await theta('timeline', 'model.pt');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^model\.pt: 9 commits, 8 changed it; 20 parameter groups in all\n/);
    expect(out).toMatch(/d0d39a5074 +\S+ \S+ +4 sparse .*FISH/);
    expect(out).toMatch(/2d62dd1acd +\S+ \S+ +1 low-rank .*LoRA/);
    expect(out).toMatch(/84cccc41bc +\S+ \S+ +2 added /);
    expect(out.indexOf('FISH')).toBeLessThan(out.indexOf('LoRA'));
  });

  it('takes every branch with --all, and a name from the current folder', async () => {
    const { out } = await runTheta('-C', join(unpacked.path, '.git', '..'), 'timeline', './model.pt', '--all', '--json');
    const { commits, groups } = v.parse(document, JSON.parse(out));
    expect(commits).toHaveLength(12);
    expect(groups.find(({ name }) => name === 'fc1.weight')?.versions.map(({ change }) => change)).toEqual([
      'added',
      'dense',
      'sparse',
      'low-rank',
      'dense',
      'dense',
      'dense',
    ]);
  });

  it('gives numbers of the groups that a pattern names', async () => {
    const { out } = await theta('timeline', 'model.pt', '--group', 'fc1.weight', '--json');
    const { groups } = v.parse(document, JSON.parse(out));
    expect(groups).toHaveLength(1);
    const fish = groups[0]?.versions.find(({ commit }) => commit.startsWith(FISH));
    // 24 of 8,192 elements.
    expect(fish).toMatchObject({ change: 'sparse', elements: 8192, changed_share: 24 / 8192 });
    expect(groups[0]?.versions[0]).toMatchObject({ delta: null, nan: 0, inf: 0 });
    const csv = (await theta('timeline', 'model.pt', '--group', 'fc1.*', '--csv')).out.trimEnd().split('\n');
    expect(csv[0]).toMatch(/^group,commit,date,author,title,change,stored_bytes,min,max,/);
    expect(csv).toHaveLength(1 + 4 + 2);
    expect((await theta('timeline', 'model.pt', '--group', 'fc1.weight')).out).toMatch(/d0d39a5074 .* sparse .* 0\.29 %/);
  });

  it('sees in the plain file that was kept beside it which groups changed', async () => {
    const { out } = await theta('timeline', 'model.onnx', '--json');
    const { groups } = v.parse(document, JSON.parse(out));
    const at = (commit: string) => groups.filter(({ versions }) => versions.some((item) => item.commit.startsWith(commit))).map(({ name }) => name);
    expect(at(LORA)).toEqual(['fc1.weight']);
    expect(at(FISH)).toHaveLength(4);
  });

  it('says what is not there, and what excludes each other', async () => {
    expect(await theta('timeline', 'nothing.pt')).toMatchObject({ code: 1, err: expect.stringContaining('No commit has a file nothing.pt') });
    expect(await theta('timeline', 'model.pt', '--group', 'nothing')).toMatchObject({ code: 1, out: '' });
    expect(await theta('timeline', 'model.pt', '--json', '--csv')).toMatchObject({ code: 2, out: '' });
    expect(await theta('timeline', 'model.pt', '--group', '/(/')).toMatchObject({ code: 2 });
  });

  it('names the commit of an object that is lost, and gives the other numbers', async () => {
    const lost = await unpackRepository('digits');
    try {
      await rm(join(lost.path, '.git', 'lfs'), { recursive: true });
      const { code, out, err } = await runTheta('-C', lost.path, 'timeline', 'model.pt', '--group', 'fc1.weight', '--json');
      expect(code).toBe(1);
      expect(err).toContain('fc1.weight');
      expect(v.parse(document, JSON.parse(out)).groups[0]?.versions).toHaveLength(4);
    } finally {
      await lost.dispose();
    }
  });
});

describe('theta blame', () => {
  it('names the commit that last changed each row', async () => {
    const { code, out } = await theta('blame', 'HEAD:model.pt', 'fc1.weight', '--rows', '--json');
    expect(code).toBe(0);
    const found = v.parse(
      v.object({
        rows: v.number(),
        commits: v.array(v.looseObject({ commit: v.string(), rows: v.number() })),
        stretches: v.array(v.object({ from: v.number(), to: v.number(), commit: v.string() })),
        note: v.nullable(v.string()),
        path: v.string(),
        commit: v.string(),
        group: v.string(),
      }),
      JSON.parse(out),
    );
    expect(found.rows).toBe(64);
    expect(found.commits.map(({ commit }) => commit.slice(0, 10))).toEqual([LORA, FISH, TRAINED, 'da9129a103']);
    expect(found.commits.reduce((sum, { rows }) => sum + rows, 0)).toBe(64);
    expect(found.stretches[0]?.from).toBe(0);
    expect(found.stretches.at(-1)?.to).toBe(64);
    // IA3 multiplies each row, so it changed all of them.
    expect((await theta('blame', 'HEAD:model.pt', 'classifier.weight')).out).toMatch(/9a4a4a9d62 .* 10 {2}IA3/);
  });

  it('wants a version', async () => {
    expect(await theta('blame', 'model.pt', 'fc1.weight')).toMatchObject({ code: 1, err: expect.stringContaining('REV:PATH') });
    expect(await theta('blame', 'HEAD:model.pt', 'nothing')).toMatchObject({ code: 1, err: expect.stringContaining('no parameter group') });
  });
});

describe('theta bisect', () => {
  it('finds the first commit at which a condition holds', async () => {
    const { code, out, err } = await theta('bisect', 'model.pt', '--group', 'fc1.weight', '--when', 'norm > 13');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`First commit: ${LORA}`));
    expect(err).toContain('presumes');
    const json = await theta('bisect', 'model.pt', '--group', 'fc1.weight', '--when', 'norm > 13', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ found: expect.stringMatching(`^${LORA}`), condition: { quantity: 'norm', operator: '>', threshold: 13 } });
  });

  it('ends with 1 when it holds nowhere, and with 2 for a condition that is none', async () => {
    expect(await theta('bisect', 'model.pt', '--group', 'fc1.weight', '--when', 'nan > 0')).toMatchObject({ code: 1 });
    expect(await theta('bisect', 'model.pt', '--group', 'fc1.weight', '--when', 'weight > 0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Quantities'),
    });
    expect(await theta('bisect', 'model.pt', '--group', 'nothing', '--when', 'std > 0')).toMatchObject({ code: 1, err: expect.stringContaining('No version') });
  });
});
