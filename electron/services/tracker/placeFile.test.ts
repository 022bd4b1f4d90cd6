import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveFile } from '../../bytes/moveFile';
import { temporaryFolder } from '../../git/testing/testRepository';
import { placeFile } from './placeFile';
import { Undo } from './undo';

let folder: string;
let undo: Undo;
let unmount = () => {};

beforeEach(async () => {
  folder = await temporaryFolder();
  undo = new Undo();
  mkdirSync(join(folder, 'git'));
  mkdirSync(join(folder, 'tree'));
  writeFileSync(join(folder, 'source'), 'new');
});

afterEach(async () => {
  unmount();
  unmount = () => {};
  await rm(folder, { recursive: true });
});

const target = () => join(folder, 'tree', 'model');
const spool = () => readdirSync(join(folder, 'git', 'theta-desktop', 'spool'));
const place = () => placeFile(join(folder, 'source'), target(), { place: { commonDir: join(folder, 'git') }, undo });

function system(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

function mount(at: string): boolean {
  try {
    system('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at);
  } catch {
    return false;
  }
  unmount = () => system('umount', at);
  return true;
}

describe.each([['on one file system'], ['from one file system to another']])('a file that is placed %s', (where) => {
  beforeEach((context) => {
    if (where !== 'on one file system' && !mount(join(folder, 'tree'))) context.skip('no disk can be mounted here');
  });

  it('stands there, and what was there can come back, the same file as before', async () => {
    writeFileSync(target(), 'old');
    const before = statSync(target());
    await place();
    expect(readFileSync(target(), 'utf8')).toBe('new');
    expect(await undo.run()).toEqual([]);
    expect(readFileSync(target(), 'utf8')).toBe('old');
    expect(statSync(target()).ino).toBe(before.ino);
    expect([...readdirSync(join(folder, 'tree')), ...spool()]).toEqual(['model']);
  });

  it('leaves nothing once it is there to stay', async () => {
    writeFileSync(target(), 'old');
    await place();
    await undo.finish();
    expect(readFileSync(target(), 'utf8')).toBe('new');
    expect([...readdirSync(join(folder, 'tree')), ...spool()]).toEqual(['model']);
  });

  it('is not taken away again when somebody else has written it since', async () => {
    writeFileSync(target(), 'old');
    await place();
    writeFileSync(target(), 'theirs');
    expect(await undo.run()).toEqual([]);
    expect(readFileSync(target(), 'utf8')).toBe('theirs');
    expect([...readdirSync(join(folder, 'tree')), ...spool()]).toEqual(['model']);
  });

  it('goes with the folders that were made for it', async () => {
    const deep = join(folder, 'tree', 'a', 'b', 'model');
    await placeFile(join(folder, 'source'), deep, { place: { commonDir: join(folder, 'git') }, undo });
    expect(readFileSync(deep, 'utf8')).toBe('new');
    await undo.run();
    expect(readdirSync(join(folder, 'tree'))).toEqual([]);
  });
});

it('a file is moved from one file system to another as a whole', async (context) => {
  if (!mount(join(folder, 'tree'))) context.skip('no disk can be mounted here');
  writeFileSync(target(), 'old');
  await moveFile(join(folder, 'source'), target());
  expect(readFileSync(target(), 'utf8')).toBe('new');
  expect([readdirSync(join(folder, 'tree')), readdirSync(folder).sort()]).toEqual([['model'], ['git', 'tree']]);
  // Too large for it: both stay as they are.
  writeFileSync(join(folder, 'source'), new Uint8Array(2 ** 21));
  await expect(moveFile(join(folder, 'source'), target())).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(readFileSync(target(), 'utf8')).toBe('new');
  expect([readdirSync(join(folder, 'tree')), readdirSync(folder).sort()]).toEqual([['model'], ['git', 'source', 'tree']]);
});

describe('undo', () => {
  it('goes backwards, takes last what is to be last, and tries again what failed', async () => {
    const done: string[] = [];
    const step = (name: string) => async () => void done.push(name);
    let full = true;
    undo.addLast(step('objects'));
    undo.add(async () => {
      done.push('files');
      full = false;
    });
    undo.add(async () => {
      done.push('index');
      if (full) throw new Error('no space');
    }, 'The index is not as it was.');
    undo.add(step('branch'), 'The branch is not as it was.');
    expect(await undo.run()).toEqual([]);
    expect(done).toEqual(['branch', 'index', 'files', 'index', 'objects']);
  });

  it('says what cannot be taken back', async () => {
    undo.add(() => Promise.reject(new Error('locked')), 'The index is not as it was.');
    undo.add(() => Promise.reject(new Error('of no interest')));
    expect(await undo.run()).toEqual(['The index is not as it was.']);
  });
});
