import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTheta } from './testing/runTheta';

/** Histories that git-theta never touched: plain blobs and Git LFS pointers, and metadata files that something went wrong with. */

const checkpoints = fileURLToPath(new URL('../../e2e/fixtures/checkpoints/', import.meta.url));
const plain = await readFile(join(checkpoints, 'safetensors', 'plain.safetensors'));
const other = await readFile(join(checkpoints, 'safetensors', 'shapes.safetensors'));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-plain-'));
  git('init', '-q', '-b', 'main');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' }).trim();
}

async function commit(path: string, content: Uint8Array | string | null, message = 'x'): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  if (content === null) await rm(file);
  else await writeFile(file, content);
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const pointer = (oid: string, size: number) => `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;

async function storeObject(content: Uint8Array, oid = sha256(content)): Promise<void> {
  const path = join(folder, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

async function show(target: string) {
  const { code, out, err } = await runTheta('-C', folder, 'show', target, '--json', '--digest');
  return { code, err, shown: out === '' ? null : JSON.parse(out) };
}

describe('plain blobs', () => {
  it('are shown and exported byte for byte', async () => {
    await commit('sub folder/modèle.safetensors', plain);
    const fromDisk = JSON.parse((await runTheta('show', join(checkpoints, 'safetensors', 'plain.safetensors'), '--json', '--digest')).out);
    const { shown } = await show('HEAD:sub folder/modèle.safetensors');
    expect(shown).toMatchObject({ storage: 'blob', format: 'safetensors', groups: fromDisk.groups });
    const out = join(folder, 'out.safetensors');
    expect((await runTheta('-C', folder, 'export', 'HEAD:sub folder/modèle.safetensors', out)).code).toBe(0);
    expect(await readFile(out)).toEqual(plain);
  });

  it('are told as added, replaced and removed', async () => {
    await commit('m.safetensors', plain, 'one');
    await commit('m.safetensors', other, 'two');
    await commit('other.txt', 'x', 'three');
    await commit('m.safetensors', null, 'four');
    const listed: { title: string; changes: object }[] = JSON.parse((await runTheta('-C', folder, 'log', 'm.safetensors', '--json')).out);
    expect(listed.map(({ title, changes }) => [title, changes])).toEqual([
      ['four', { removed: { groups: 0, bytes: other.byteLength } }],
      ['two', { replaced: { groups: 0, bytes: other.byteLength } }],
      ['one', { added: { groups: 0, bytes: plain.byteLength } }],
    ]);
  });

  it('that git-theta keeps from then on are told as replaced, not as added', async () => {
    const entry = {
      tensor_metadata: { shape: '(2,)', dtype: 'float32', hash: Array.from({ length: 16 }, () => 0) },
      lfs_metadata: { version: 'https://git-lfs.github.com/spec/v1', oid: sha256(other), size: '40' },
    };
    await commit('m.safetensors', plain, 'one');
    await commit('m.safetensors', JSON.stringify({ w: { ...entry, theta_metadata: { update_type: 'dense', last_commit: null } } }), 'two');
    const listed: { title: string; changes: object }[] = JSON.parse((await runTheta('-C', folder, 'log', 'm.safetensors', '--json')).out);
    expect(listed.map(({ title, changes }) => [title, changes])[0]).toEqual(['two', { replaced: { groups: 0, bytes: 40 } }]);
  });

  it('that are no checkpoints are said to be none', async () => {
    await commit('notes.pt', 'just text, long enough to look at');
    const { code, err } = await show('HEAD:notes.pt');
    expect(code).toBe(1);
    expect(err).toContain('notes.pt');
  });
});

describe('Git LFS pointers', () => {
  it('are followed to their object', async () => {
    await commit('m.safetensors', pointer(sha256(plain), plain.byteLength));
    await storeObject(plain);
    const { shown, code } = await show('HEAD:m.safetensors');
    expect(code).toBe(0);
    expect(shown).toMatchObject({ storage: 'lfs', format: 'safetensors', metadata: { format: 'pt' } });
    const out = join(folder, 'out.safetensors');
    expect((await runTheta('-C', folder, 'export', 'HEAD:m.safetensors', out)).code).toBe(0);
    expect(await readFile(out)).toEqual(plain);
  });

  it.each([
    ['missing', null, /not in the Git LFS store/],
    ['too short', plain.subarray(0, 100), /100 bytes/],
  ])('whose object is %s are said to be so', async (_what, content, words) => {
    await commit('m.safetensors', pointer(sha256(plain), plain.byteLength));
    if (content !== null) await storeObject(content, sha256(plain));
    const { code, err } = await show('HEAD:m.safetensors');
    expect(code).toBe(1);
    expect(err).toMatch(words);
    expect(err).toContain('m.safetensors');
    expect(err).toContain(sha256(plain).slice(0, 10));
  });

  it.each(['safetensors', 'npz'])('whose object was changed are not exported to %s', async (extension) => {
    await commit('m.safetensors', pointer(sha256(plain), plain.byteLength));
    const flipped = Buffer.from(plain);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    await storeObject(flipped, sha256(plain));
    const out = join(folder, `out.${extension}`);
    const { code, err } = await runTheta('-C', folder, 'export', 'HEAD:m.safetensors', out);
    expect(code).toBe(1);
    expect(err).toContain(sha256(plain));
    await expect(readFile(out)).rejects.toThrow('ENOENT');
  });
});

describe('metadata files', () => {
  it('of a checkpoint without groups are one where the attributes say so', async () => {
    await commit('.gitattributes', 'm.pt filter=theta merge=theta diff=theta\n');
    // git would run the filter on a plain add.
    const blob = execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], { input: '{}', encoding: 'utf8' }).trim();
    git('update-index', '--add', '--cacheinfo', `100644,${blob},m.pt`);
    git('commit', '-q', '-m', 'empty');
    const { shown } = await show('HEAD:m.pt');
    expect(shown).toMatchObject({ storage: 'theta', groups: [] });
  });

  it('with conflict markers are said to have them', async () => {
    const metadata = (await readFile(new URL('../../e2e/fixtures/vectors/merge/current.json', import.meta.url), 'utf8')).split('\n');
    await commit('m.pt', [...metadata.slice(0, 5), '<<<<<<< HEAD', ...metadata.slice(5, 9), '=======', '>>>>>>> other', ...metadata.slice(9)].join('\n'));
    const { code, err } = await show('HEAD:m.pt');
    expect(code).toBe(1);
    expect(err).toMatch(/conflict markers/);
    const log = await runTheta('-C', folder, 'log', 'm.pt', '--json');
    expect(JSON.parse(log.out)).toMatchObject([{ error: { code: 'conflict' } }]);
  });
});
