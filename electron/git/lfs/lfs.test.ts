import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../openRepository';
import { makeRepository, TestRepository, temporaryFolder } from '../testing/testRepository';
import { lfsObjectPath } from './lfsFolders';
import { parseLfsPointer } from './lfsPointer';
import { openLfsStore } from './lfsStore';

const OID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';

describe('parseLfsPointer', () => {
  const good = `version https://git-lfs.github.com/spec/v1\noid sha256:${OID}\nsize 12345\n`;

  it.each([
    ['the example of the specification', good, 12345],
    ['of an empty file', good.replace('12345', '0'), 0],
    ['with an extension', good.replace('oid', `ext-0-case sha256:${OID}\noid`), 12345],
    ['of the first version', good.replace('git-lfs.github', 'hawser.github'), 12345],
    ['of a large file', good.replace('12345', '9007199254740991'), 9007199254740991],
  ])('reads a pointer %s', (_, text, size) => {
    expect(parseLfsPointer(Buffer.from(text))).toEqual({ oid: OID, size });
  });

  it.each([
    ['nothing', ''],
    ['no newline at the end', good.slice(0, -1)],
    ['CR LF', good.replaceAll('\n', '\r\n')],
    ['version not first', `oid sha256:${OID}\nsize 12345\nversion https://git-lfs.github.com/spec/v1\n`],
    ['another version', good.replace('v1', 'v2')],
    ['keys not sorted', `version https://git-lfs.github.com/spec/v1\nsize 12345\noid sha256:${OID}\n`],
    ['a key twice', good.replace('size', `oid sha256:${OID}\nsize`)],
    ['an unknown key', good.replace('size', 'path ../x\nsize')],
    ['another hash', good.replace('sha256', 'md5')],
    ['a short oid', good.replace(OID, OID.slice(1))],
    ['a path as oid', good.replace(OID, `../../${OID.slice(6)}`)],
    ['capitals in the oid', good.replace(OID, OID.toUpperCase())],
    ['no size', good.replace('size 12345\n', '')],
    ['a negative size', good.replace('12345', '-1')],
    ['a size with a sign or zeros', good.replace('12345', '012345')],
    ['a size beyond exact numbers', good.replace('12345', '9007199254740993')],
    ['two spaces', good.replace('size ', 'size  ')],
    ['an empty line', good.replace('size', '\nsize')],
    ['more after it', `${good}more\n`],
    ['1024 bytes', good.replace('oid', `ext-0-x ${'y'.repeat(1024 - good.length - 9)}\noid`)],
    ['a checkpoint', '\x80\x02}q\x00.'],
  ])('takes this for no pointer: %s', (_, text) => {
    expect(parseLfsPointer(Buffer.from(text, 'latin1'))).toBeNull();
  });

  it('reads a view into a larger buffer', () => {
    const buffer = Buffer.from(`xx${good}yy`);
    expect(parseLfsPointer(buffer.subarray(2, -2))).toEqual({ oid: OID, size: 12345 });
  });
});

async function repository(): Promise<TestRepository> {
  const made = await makeRepository();
  onTestFinished(() => made.dispose());
  await made.commit('one', { a: 'a' });
  return made;
}

/** Folder of the objects by git-lfs itself, when it is on this machine. */
async function folderByGitLfs(folder: string): Promise<string | null> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
  const { stdout } = await promisify(execFile)('git', ['lfs', 'env'], { cwd: folder, env }).catch(() => ({ stdout: '' }));
  return /^LocalMediaDir=(.*)$/m.exec(stdout)?.[1] ?? null;
}

async function storeFolder(path: string): Promise<string> {
  const git = await openRepository(path);
  try {
    return (await openLfsStore(git)).folder;
  } finally {
    await git.close();
  }
}

describe('openLfsStore', () => {
  it('puts objects where git-lfs does', async () => {
    const test = await repository();
    const linked = join(await temporaryFolder(), 'linked');
    onTestFinished(() => new TestRepository(dirname(linked)).dispose());
    await test.git(['worktree', 'add', '-q', '--detach', linked]);
    const elsewhere = join(dirname(linked), 'store');
    const cases: readonly (readonly [storage: string | null, expected: string])[] = [
      [null, join(test.path, '.git', 'lfs', 'objects')],
      [elsewhere, join(elsewhere, 'objects')],
      ['shared/lfs', join(test.path, '.git', 'shared', 'lfs', 'objects')],
      [relative(join(test.path, '.git'), elsewhere), join(elsewhere, 'objects')],
    ];
    for (const [storage, expected] of cases) {
      if (storage !== null) await test.git(['config', 'lfs.storage', storage]);
      for (const folder of [test.path, linked]) {
        expect([storage, await storeFolder(folder)]).toEqual([storage, expected]);
        const byGitLfs = await folderByGitLfs(folder);
        if (byGitLfs !== null) expect(byGitLfs).toBe(expected);
      }
    }
  });

  it('ignores a storage that the repository’s content asks for', async () => {
    const test = await repository();
    await test.commit('config', { '.lfsconfig': '[lfs]\n\tstorage = /somewhere/else\n' });
    expect(await storeFolder(test.path)).toBe(join(test.path, '.git', 'lfs', 'objects'));
  });

  it('finds objects, also those of the repository that it borrows from', async () => {
    const origin = await repository();
    const test = new TestRepository(await temporaryFolder());
    onTestFinished(() => test.dispose());
    await test.git(['clone', '-q', '--shared', origin.path, '.']);
    const git = await openRepository(test.path, { backend: 'native' });
    onTestFinished(() => git.close());
    const store = await openLfsStore(git);
    const own = join(test.path, '.git', 'lfs', 'objects', '4d', '7a', OID);
    const borrowed = join(origin.path, '.git', 'lfs', 'objects', '4d', '7a', OID);
    expect(store.pathOf(OID)).toBe(own);
    for (const path of [borrowed, own]) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, 'x');
      expect(store.pathOf(OID)).toBe(path);
    }
  });

  it.each(['', 'abc', '../../../etc/passwd', OID.toUpperCase(), `${OID}/x`, `${OID}\n`, '..'.repeat(32)])('lets no id leave the store: %j', (oid) => {
    expect(() => lfsObjectPath('/store', oid)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });
});
