import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { runTheta } from './testing/runTheta';

/** Histories whose updates point at commits that are gone: git-theta cannot check them out; the values are those of before. */

const story = v.object({
  commits: v.array(v.object({ sha: v.string(), files: v.record(v.string(), v.object({ params: v.record(v.string(), v.object({ sha256: v.string() })) })) })),
});
const document = v.object({
  groups: v.array(
    v.object({
      name: v.string(),
      sha256: v.nullable(v.string()),
      update_type: v.string(),
      error: v.optional(v.object({ code: v.string(), message: v.string() })),
    }),
  ),
});

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

async function expectedOf(name: string) {
  return v.parse(story, JSON.parse(await readFile(new URL(`../../e2e/fixtures/repos/${name}/expected.json`, import.meta.url), 'utf8'))).commits;
}

/** A clone with only what the branch reaches, and all LFS objects. */
async function cloneBranch(path: string, branch: string, ...options: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'theta-rewritten-'));
  folders.push(folder);
  execFileSync('git', ['clone', '-q', '--bare', '--single-branch', '--branch', branch, ...options, pathToFileURL(path).href, folder], { stdio: 'ignore' });
  await cp(join(path, '.git', 'lfs'), join(folder, 'lfs'), { recursive: true });
  return folder;
}

async function show(folder: string, target: string) {
  const { out } = await runTheta('-C', folder, 'show', target, '--json', '--digest');
  return v.parse(document, JSON.parse(out)).groups;
}

describe.each(['a-pt-linear', 'c-pt-ia3', 'd-st-chain40', 'f-flax'])('%s with every commit made anew', (name) => {
  it('gives the values of before', async () => {
    const expected = await expectedOf(name);
    const repository = await unpackRepository(name);
    folders.push(repository.path);
    let parent: string | null = null;
    const rewritten: string[] = [];
    for (const { sha } of expected) {
      const made: string = git(repository.path, 'commit-tree', `${sha}^{tree}`, ...(parent === null ? [] : ['-p', parent]), '-m', `again: ${sha}`);
      rewritten.push(made);
      parent = made;
    }
    git(repository.path, 'branch', 'rewritten', parent ?? '');
    const folder = await cloneBranch(repository.path, 'rewritten');
    for (const [index, { files }] of expected.entries()) {
      // Each link of a chain is found anew for each version, so a few versions of the long chain are enough.
      if (expected.length > 10 && index % 10 !== 0) continue;
      for (const [path, { params }] of Object.entries(files)) {
        const groups = await show(folder, `${rewritten[index]}:${path}`);
        expect(
          Object.fromEntries(groups.map((group) => [group.name, group.sha256])),
          `${rewritten[index]} ${groups.find((group) => group.error)?.error?.message}`,
        ).toEqual(Object.fromEntries(Object.entries(params).map(([group, { sha256 }]) => [group, sha256])));
      }
    }
  });
});

describe('a shallow clone', () => {
  it('gives the dense groups and names those whose base is not there', async () => {
    const expected = await expectedOf('d-st-chain40');
    const repository = await unpackRepository('d-st-chain40');
    folders.push(repository.path);
    const folder = await cloneBranch(repository.path, 'main', '--depth', '1');
    const groups = await show(folder, 'HEAD:chain.safetensors');
    const params = expected.at(-1)?.files['chain.safetensors']?.params;
    for (const { name, sha256, update_type, error } of groups) {
      if (update_type === 'dense') expect(sha256).toBe(params?.[name]?.sha256);
      else expect(error).toMatchObject({ code: 'missing-object' });
    }
    expect(groups.map((group) => group.update_type)).toContain('sparse');
    expect(groups.map((group) => group.update_type)).toContain('dense');
  });
});
