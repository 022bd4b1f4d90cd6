import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withPartialFile } from './partialFile';
import { createWorkshop, type Workshop } from './testing/exporterSetup';

/** A file system without hard links, as exFAT is. */
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  link: () => Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })),
}));

let workshop: Workshop;

beforeEach(async () => {
  workshop = await createWorkshop();
});

afterEach(() => workshop.remove());

const write = (before: () => Promise<void>) =>
  withPartialFile({ path: workshop.path('out'), folder: workshop.folder, overwrite: false, mode: null }, 3, async (partial) => {
    await partial.handle.write(Buffer.from('new'), 0, 3, 0);
    await before();
    await partial.publish();
  });

test('a file gets its name where there are no hard links', async () => {
  await write(async () => {});
  expect(await readFile(workshop.path('out'), 'utf8')).toBe('new');
  expect(await workshop.files()).toEqual(['out']);
});

test('a file that appeared meanwhile is not replaced there either', async () => {
  await expect(write(() => writeFile(workshop.path('out'), 'precious'))).rejects.toMatchObject({ code: 'exists' });
  expect(await readFile(workshop.path('out'), 'utf8')).toBe('precious');
  expect(await workshop.files()).toEqual(['out']);
});
