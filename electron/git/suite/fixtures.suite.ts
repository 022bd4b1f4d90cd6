import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repositoryNames, unpackRepository } from '../../../e2e/fixtures/unpackRepository';
import { type Backend, collect, withRepository } from './suiteContext';

const FIXTURES = new URL('../../../e2e/fixtures/', import.meta.url).pathname;

const theta = v.object({
  head: v.string(),
  refs: v.record(v.string(), v.string()),
  commits: v.array(
    v.object({
      sha: v.string(),
      parents: v.array(v.string()),
      subject: v.string(),
      files: v.record(v.string(), v.object({ metadata_sha256: v.optional(v.string()) })),
    }),
  ),
});
const digits = v.array(v.object({ commit: v.string(), subject: v.string() }));

async function expected(name: string): Promise<unknown> {
  const path = name === 'digits' ? join(FIXTURES, 'digits', 'expected.json') : join(FIXTURES, 'repos', name, 'expected.json');
  return JSON.parse(await readFile(path, 'utf8'));
}

const NAMES = await repositoryNames();

export function fixturesSuite(backend: Backend): void {
  describe('repositories that git-theta wrote', () => {
    it('are at least twelve', () => expect(NAMES.length).toBeGreaterThanOrEqual(12));

    it.each(NAMES.filter((name) => name !== 'digits'))('%s has the refs and the history that its maker lists', async (name) => {
      const { head, refs, commits } = v.parse(theta, await expected(name));
      const unpacked = await unpackRepository(name);
      onTestFinished(() => unpacked.dispose());
      await withRepository(backend, unpacked.path, async (git) => {
        expect(await git.head()).toMatchObject({ commit: head });
        expect(Object.fromEntries((await git.refs()).map((ref) => [`refs/heads/${ref.name}`, ref.commit]))).toEqual(refs);
        const walked = await collect(git.walk({ strict: true }));
        const byHash = new Map(walked.map((commit) => [commit.hash, commit]));
        expect([...byHash.keys()].sort()).toEqual(commits.map(({ sha }) => sha).sort());
        for (const { sha, parents, subject, files } of commits) {
          const hash = await git.resolve(sha);
          expect(byHash.get(hash)).toMatchObject({ parents, title: subject.split('\n')[0] });
          const listed = (await git.files(hash)).map(({ path }) => path);
          for (const path of Object.keys(files)) expect(listed).toContain(path);
        }
      });
    });

    it('digits tells the story of the sample', async () => {
      const commits = v.parse(digits, await expected('digits'));
      const unpacked = await unpackRepository('digits');
      onTestFinished(() => unpacked.dispose());
      await withRepository(backend, unpacked.path, async (git) => {
        const walked = await collect(git.walk({ strict: true }));
        expect(new Set(walked.map(({ hash, title }) => `${hash} ${title}`))).toEqual(new Set(commits.map(({ commit, subject }) => `${commit} ${subject}`)));
        expect((await git.refs()).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
          'branch main',
          'branch noise',
          'branch rotated',
          'tag v0',
          'tag v1',
          'tag v2',
        ]);
        expect((await git.attributes(['model.pt', 'model.onnx'], ['filter'])).get('model.pt')).toEqual({ filter: 'theta' });
        // The archive's modification times are those of the index: no filter is needed to know.
        expect(Object.fromEntries(await git.status(['model.pt', 'model.onnx', 'README.md']))).toEqual({
          'model.pt': 'unmodified',
          'model.onnx': 'unmodified',
          'README.md': 'unmodified',
        });
      });
    });
  });
}
