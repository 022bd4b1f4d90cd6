import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashInputs } from './buildStamp.mjs';

let root: string;
const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
const hash = () => hashInputs(root, ['source', 'missing'], ['package-lock.json']);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'theta-stamp-'));
  await write('source/a.ts', 'one');
  await write('source/deep/b.ts', 'two');
  await write('package-lock.json', '{}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the hash of what a bundle is made of', () => {
  it.each<[string, () => Promise<void>]>([
    ['changed', () => write('source/deep/b.ts', 'three')],
    ['added', () => write('source/c.ts', '')],
    ['removed', () => rm(join(root, 'source/a.ts'))],
    [
      'renamed',
      async () => {
        await rm(join(root, 'source/a.ts'));
        await write('source/z.ts', 'one');
      },
    ],
    [
      'cut differently',
      async () => {
        await write('source/a.ts', 'on');
        await write('source/deep/b.ts', 'etwo');
      },
    ],
    ['a changed lock file', () => write('package-lock.json', '{"a":1}')],
  ])('differs when something is %s', async (_name, change) => {
    const before = await hash();
    await change();
    expect(await hash()).not.toBe(before);
  });

  it.each(['source/a.test.ts', 'source/README.md', 'source/testing/helper.ts', 'source/node_modules/x/index.js', 'other/a.ts'])(
    'does not change with %s',
    async (path) => {
      const before = await hash();
      await write(path, 'new');
      expect(await hash()).toBe(before);
    },
  );
});
