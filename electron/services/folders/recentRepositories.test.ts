import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecentRepositories } from './recentRepositories';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-recent-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('recent repositories', () => {
  it('lists the last opened first, each once, and says which are gone', async () => {
    const recent = createRecentRepositories(folder);
    await mkdir(join(folder, 'a'));
    await recent.add(join(folder, 'a'));
    await recent.add('/nowhere/b');
    await recent.add(join(folder, 'a'));
    expect(await recent.list()).toMatchObject([
      { name: 'a', exists: true },
      { name: 'b', exists: false },
    ]);
  });

  it('loses nothing when several are added at once, and survives a restart', async () => {
    const recent = createRecentRepositories(folder);
    await Promise.all(Array.from({ length: 15 }, (_, index) => recent.add(`/r/${index}`)));
    const names = (await createRecentRepositories(folder).list()).map((item) => item.name);
    expect(names.sort()).toEqual(Array.from({ length: 15 }, (_, index) => String(index)).sort());
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('keeps a bounded number and forgets on demand', async () => {
    const recent = createRecentRepositories(folder);
    for (let index = 0; index < 30; index++) await recent.add(`/r/${index}`);
    await recent.forget('/r/29');
    const paths = (await recent.list()).map((item) => item.path);
    expect(paths[0]).toBe('/r/28');
    expect(paths.length).toBeLessThanOrEqual(20);
  });

  it.each(['', '{', '[{"path": 3}]', '{"a": 1}'])('starts empty when its file holds %j, and mends it', async (content) => {
    await writeFile(join(folder, 'recent.json'), content);
    const recent = createRecentRepositories(folder);
    expect(await recent.list()).toEqual([]);
    await recent.add('/r/1');
    expect(JSON.parse(await readFile(join(folder, 'recent.json'), 'utf8'))).toMatchObject([{ path: '/r/1' }]);
  });
});
