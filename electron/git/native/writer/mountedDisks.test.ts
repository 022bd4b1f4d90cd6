import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { openRepository } from '../../openRepository';
import { callGit, temporaryFolder } from '../../testing/testRepository';
import { initRepository } from './initRepository';
import { openGitWriter } from './openGitWriter';
import { ATTRIBUTES, isolate } from './testing/writerFixture';

/** A repository with one commit on a disk of 2 MiB, where the system lets us have one (Linux, as root); the test is skipped elsewhere. */
async function onDisk(context: TestContext) {
  isolate();
  const folder = await temporaryFolder();
  const disk = join(folder, 'disk');
  await mkdir(disk);
  const system = (program: string, ...args: readonly string[]) => execFileSync(program, args, { stdio: 'ignore' });
  try {
    system('mount', '-t', 'tmpfs', '-o', 'size=2048k', 'tmpfs', disk);
  } catch {
    await rm(folder, { recursive: true });
    context.skip('no disk can be mounted here');
  }
  onTestFinished(async () => {
    system('umount', disk);
    await rm(folder, { recursive: true });
  });
  await initRepository(disk);
  await writeFile(join(disk, '.gitattributes'), ATTRIBUTES);
  await writeFile(join(disk, 'model.pt'), 'values');
  await writeFile(join(disk, 'plain'), 'x');
  const process = 'exit 1';
  const writer = await openGitWriter(await openRepository(disk), { filterCommand: { process, clean: process, smudge: process } });
  await writer.stagePlain(['.gitattributes']);
  await writer.commit({ paths: ['.gitattributes'], message: 'first', author: null });
  const content = join(folder, 'prepared');
  await writeFile(content, '{}');
  const attempts = () => [
    () => writer.stage([{ path: 'model.pt', content }]),
    () => writer.stagePlain(['plain']),
    () => writer.writeBlob(Buffer.from('blob')),
    async () => writer.createBranch('new', (await writer.commit({ paths: ['other'], message: 'second', author: null })) ?? ''),
  ];
  const stageOther = async () => {
    await writeFile(join(disk, 'other'), '1');
    await writer.stagePlain(['other']);
  };
  return { disk, system, attempts, stageOther };
}

test('a full disk is told as such, and nothing is lost', async (context) => {
  const { disk, attempts, stageOther } = await onDisk(context);
  await stageOther();
  await writeFile(join(disk, 'filler'), new Uint8Array(4 * 2 ** 20)).catch(() => {});
  for (const attempt of attempts()) await expect(attempt()).rejects.toMatchObject({ code: 'no-space' });
  await rm(join(disk, 'filler'));
  expect((await callGit(disk, ['status', '--porcelain'])).toString()).toBe('A  other\n?? model.pt\n?? plain\n');
  expect((await callGit(disk, ['fsck', '--strict', '--no-dangling'])).toString()).toBe('');
  expect((await callGit(disk, ['rev-list', '--count', 'HEAD'])).toString()).toBe('1\n');
});

test('a read-only disk is told as such', async (context) => {
  const { disk, system, attempts, stageOther } = await onDisk(context);
  await stageOther();
  system('mount', '-o', 'remount,ro', disk);
  for (const attempt of attempts()) await expect(attempt()).rejects.toMatchObject({ code: 'permission' });
});
