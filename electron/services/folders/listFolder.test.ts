import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFolder } from './listFolder';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-list-'));
  await mkdir(join(folder, 'work tree', '.git'), { recursive: true });
  for (const name of ['refs', 'objects']) await mkdir(join(folder, 'bare.git', name), { recursive: true });
  await writeFile(join(folder, 'bare.git', 'HEAD'), 'ref: refs/heads/main\n');
  await mkdir(join(folder, 'worktree2'));
  await writeFile(join(folder, 'worktree2', '.git'), 'gitdir: ../work tree/.git/worktrees/x\n');
  await mkdir(join(folder, 'plain10'));
  await mkdir(join(folder, 'plain9'));
  await mkdir(join(folder, '.hidden'));
  await writeFile(join(folder, 'model.pt'), 'abc');
  await symlink('/nowhere', join(folder, 'dangling'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('listFolder', () => {
  it('lists folders before files, repositories marked, numbers in their order', async () => {
    const { entries, parent, omitted } = await listFolder(folder, false);
    expect(entries.map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
      ['bare.git', 'repository', null],
      ['plain9', 'folder', null],
      ['plain10', 'folder', null],
      ['work tree', 'repository', null],
      ['worktree2', 'repository', null],
      ['model.pt', 'file', 3],
    ]);
    expect(parent).toBe(join(folder, '..'));
    expect(omitted).toBe(0);
  });

  it('shows hidden entries on demand', async () => {
    expect((await listFolder(folder, true)).entries.map((entry) => entry.name)).toContain('.hidden');
  });

  it('has no parent at the root', async () => {
    expect((await listFolder('/', false)).parent).toBeNull();
  });

  it('lists the folder of a file, and names the file', async () => {
    const { path, file, entries } = await listFolder(join(folder, 'model.pt'), false);
    expect({ path, file }).toEqual({ path: folder, file: join(folder, 'model.pt') });
    expect(entries).toEqual((await listFolder(folder, false)).entries);
    expect((await listFolder(folder, false)).file).toBeNull();
  });

  it.each([
    ['missing', 'not-found'],
    ['model.pt/inside', 'not-found'],
  ])('says what is wrong with %s', async (name, code) => {
    await expect(listFolder(join(folder, name), false)).rejects.toMatchObject({ code });
  });

  it.skipIf(process.platform === 'win32')('refuses what is neither file nor folder', async () => {
    await expect(listFolder('/dev/null', false)).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
