import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../git/testing/testRepository';
import { keptName, removeLeftovers } from './removeLeftovers';

test('what killed processes left a day ago is removed, and nothing else', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const put = (path: string, days: number) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x');
    const time = new Date(Date.now() - days * 86_400_000);
    utimesSync(file, time, time);
    return file;
  };
  const id = randomUUID();
  const old = [
    put(`theta-desktop/spool/${id}.partial`, 2),
    put(`theta-desktop/spool/.model.pt.5bce98f7-12-db87f74ceab3.partial`, 2),
    put(`theta-desktop/spool/${id}.1600000000000.before`, 0),
    put(`theta-desktop/index-${id}`, 2),
    put(`theta-desktop/index-${id}.lock`, 2),
    put('theta-desktop/digests.77.partial', 2),
    put(`theta-desktop/conflicts/0.json.${id}.partial`, 2),
    put(`hooks/pre-push.${id}.partial`, 2),
    put(`lfs/tmp/theta-${id}`, 2),
  ];
  const kept = [
    put(`theta-desktop/spool/${randomUUID()}.partial`, 0.9),
    // Another name of a file from long ago, kept since just now.
    put(`theta-desktop/spool/${keptName(id)}`, 1000),
    put('theta-desktop/digests', 1000),
    put('theta-desktop/conflicts/0.json', 1000),
    put('hooks/pre-push', 1000),
    put('hooks/mine.partial', 1000),
    put('lfs/tmp/of-git-lfs', 1000),
    put(`lfs/tmp/theta-${randomUUID()}`, 0.9),
    put(`lfs/objects/theta-${id}`, 1000),
  ];
  const place = { commonDir: folder, gitDir: folder };
  await removeLeftovers({ git: { place }, lfs: { folder: join(folder, 'lfs', 'objects') } });
  expect(old.filter((file) => existsSync(file))).toEqual([]);
  expect(kept.filter((file) => !existsSync(file))).toEqual([]);
});
