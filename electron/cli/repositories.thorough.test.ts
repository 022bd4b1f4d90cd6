import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { runTheta } from './testing/runTheta';

/** What git-theta 0.2.0 and the onnx package gave for every commit of every fixture, against what we give. */

const tensor = v.object({ dtype: v.string(), shape: v.array(v.number()), sha256: v.string() });
const params = v.record(v.string(), tensor);
const file = v.object({
  params: v.optional(params),
  saved: v.optional(params),
  error: v.optional(v.string()),
  update_types: v.optional(v.record(v.string(), v.string())),
});
const story = v.object({ commits: v.array(v.object({ sha: v.string(), files: v.record(v.string(), file) })) });
const digitsStory = v.array(v.object({ commit: v.string(), files: v.record(v.string(), v.array(v.object({ name: v.string(), ...tensor.entries }))) }));

const document = v.object({
  commit: v.nullable(v.string()),
  path: v.string(),
  format: v.string(),
  groups: v.array(
    v.object({
      name: v.string(),
      dtype: v.string(),
      shape: v.array(v.number()),
      update_type: v.nullable(v.string()),
      bytes: v.number(),
      stored_bytes: v.number(),
      sha256: v.nullable(v.string()),
      error: v.optional(v.object({ code: v.string(), message: v.string(), place: v.object({ group: v.string(), commit: v.string(), oid: v.string() }) })),
    }),
  ),
  skipped: v.array(v.unknown()),
});
type Document = v.InferOutput<typeof document>;
type Tensors = v.InferOutput<typeof params>;

interface Expected {
  readonly commit: string;
  readonly path: string;
  /** What each group must be, where somebody knows. */
  readonly groups: Tensors;
  /** git-theta could not check this version out. */
  readonly damaged: boolean;
  readonly updateTypes: Readonly<Record<string, string>> | undefined;
}

const REPOSITORIES = [
  'digits',
  'a-pt-linear',
  'b-st-merge',
  'c-pt-ia3',
  'd-st-chain40',
  'e-two-files',
  'e2-rename-after-sparse',
  'f-flax',
  'g-lfs-bitflip',
  'g-lfs-missing',
  'g-lfs-truncated',
  'h-lossy',
] as const;

/** Objects that the fixtures' maker damaged: there git-theta gives an error, or (bit flip) wrong values. */
const DAMAGED_GROUP = 'w';

async function expectations(name: (typeof REPOSITORIES)[number]): Promise<readonly Expected[]> {
  const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(new URL(`../../e2e/fixtures/${path}`, import.meta.url), 'utf8'));
  if (name === 'digits') {
    return v.parse(digitsStory, await read('digits/expected.json')).flatMap(({ commit, files }) =>
      Object.entries(files).map(([path, list]) => {
        const groups = Object.fromEntries(list.map(({ name: group, ...rest }) => [group, rest]));
        return { commit, path, groups, damaged: false, updateTypes: undefined };
      }),
    );
  }
  return v.parse(story, await read(`repos/${name}/expected.json`)).commits.flatMap(({ sha, files }) =>
    Object.entries(files).map(([path, { params: given, saved, error, update_types }]) => {
      // git-theta checks the flipped bit out as wrong values; what was saved is the right answer there, as where it fails.
      const groups = error !== undefined || name === 'g-lfs-bitflip' ? (saved ?? given ?? {}) : (given ?? {});
      const wrong = name === 'g-lfs-bitflip' && given?.[DAMAGED_GROUP]?.sha256 !== saved?.[DAMAGED_GROUP]?.sha256;
      return { commit: sha, path, groups, damaged: (error !== undefined && name.startsWith('g-')) || wrong, updateTypes: update_types };
    }),
  );
}

const tensorsOf = (shown: Document): Tensors =>
  Object.fromEntries(shown.groups.map(({ name, dtype, shape, sha256 }) => [name, { dtype, shape, sha256: sha256 ?? '' }]));

describe.each(REPOSITORIES)('%s', (name) => {
  let repository: { readonly path: string; dispose(): Promise<void> };
  let folder: string;
  let expected: readonly Expected[];

  beforeAll(async () => {
    [repository, folder, expected] = await Promise.all([unpackRepository(name), mkdtemp(join(tmpdir(), 'theta-export-')), expectations(name)]);
  });
  afterAll(async () => {
    await repository?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['native', 'isomorphic'])('shows every version as expected, read by %s git', async (backend) => {
    expect(expected.length).toBeGreaterThan(0);
    for (const { commit, path, groups, damaged, updateTypes } of expected) {
      const { code, out, err } = await runTheta('-C', repository.path, '--git', backend, 'show', `${commit}:${path}`, '--json', '--digest');
      const shown = v.parse(document, JSON.parse(out));
      const where = `${commit}:${path} ${err}`;
      expect(shown, where).toMatchObject({ commit, path });
      const given = tensorsOf(shown);
      if (damaged) {
        const bad = shown.groups.filter((group) => group.error !== undefined);
        expect(
          bad.map((group) => group.name),
          where,
        ).toEqual([DAMAGED_GROUP]);
        expect(bad[0]?.error?.place, where).toMatchObject({ group: DAMAGED_GROUP, commit });
        expect(err).toContain(`group ${DAMAGED_GROUP}`);
        expect(code, where).toBe(1);
        delete given[DAMAGED_GROUP];
        const { [DAMAGED_GROUP]: _damaged, ...sound } = groups;
        expect(given, where).toEqual(sound);
      } else {
        expect(given, where).toEqual(groups);
        expect(code, where).toBe(0);
      }
      if (updateTypes !== undefined) expect(Object.fromEntries(shown.groups.map((group) => [group.name, group.update_type]))).toEqual(updateTypes);
    }
  });

  it.each(['safetensors', 'pt', 'npz'])('exports every version to %s so that it reads back as expected', async (extension) => {
    for (const { commit, path, groups, damaged } of expected) {
      const out = join(folder, `${commit}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}.${extension}`);
      const exported = await runTheta('-C', repository.path, 'export', `${commit}:${path}`, out);
      if (damaged) {
        expect(exported.code).toBe(1);
        expect(exported.err).toContain(DAMAGED_GROUP);
        await expect(readFile(out)).rejects.toThrow('ENOENT');
        continue;
      }
      expect(exported.code, exported.err).toBe(0);
      const { out: json } = await runTheta('show', out, '--json', '--digest');
      const reread = tensorsOf(v.parse(document, JSON.parse(json)));
      expect(reread, `${commit}:${path}`).toEqual(groups);
    }
  });
});
