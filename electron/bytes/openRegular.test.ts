import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileSource } from './fileSource';
import { readSmallFile } from './readSmallFile';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-regular-'));
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'pipe')]);
  await symlink('/dev/zero', join(folder, 'endless'));
  await symlink('/dev/null', join(folder, 'nothing'));
  await writeFile(join(folder, 'file'), 'content');
  await symlink('file', join(folder, 'link'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32').each([
  ['openFileSource', openFileSource],
  ['readSmallFile', readSmallFile],
] as const)('%s', (_name, read: (path: string) => Promise<unknown>) => {
  it.each(['pipe', 'endless', 'nothing', '.'])('neither waits for nor reads %s', async (name) => {
    // More of them than the threads that read: had one been waited for, nothing would be read any more.
    for (let round = 0; round < 8; round++) await expect(read(join(folder, name))).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('says that a file is not there', async () => {
    await expect(read(join(folder, 'missing'))).rejects.toMatchObject({ message: expect.stringMatching(/no such file/i) });
  });
});

it('reads a file, also through a link, up to a limit', async () => {
  expect((await readSmallFile(join(folder, 'link'))).toString()).toBe('content');
  expect((await readSmallFile(join(folder, 'file'), 7)).toString()).toBe('content');
  await expect(readSmallFile(join(folder, 'file'), 6)).rejects.toMatchObject({ code: 'too-large' });
});
