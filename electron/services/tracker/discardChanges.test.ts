import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFixture, type WriterFixture } from '../../git/native/writer/testing/writerFixture';
import { discardChanges } from './discardChanges';

async function commit(fixture: WriterFixture, files: Readonly<Record<string, string>>, message: string): Promise<void> {
  for (const [path, content] of Object.entries(files)) await fixture.write(path, content);
  await fixture.git('add', ...Object.keys(files));
  await fixture.git('commit', '-q', '-m', message);
}

it('refuses all when one file is in conflict, and gives up the others when they are asked for alone', async () => {
  const fixture = await openFixture();
  const read = (path: string) => readFile(join(fixture.folder, path), 'utf8');
  await commit(fixture, { 'a.txt': 'base', 'b.txt': 'base' }, 'base');
  await fixture.git('checkout', '-q', '-b', 'other');
  await commit(fixture, { 'a.txt': 'theirs' }, 'theirs');
  await fixture.git('checkout', '-q', 'main');
  await commit(fixture, { 'a.txt': 'ours' }, 'ours');
  await fixture.git('merge', '-q', 'other').catch(() => {});
  await fixture.write('b.txt', 'changed');
  const inConflict = await read('a.txt');
  expect(inConflict).toContain('theirs');

  await expect(discardChanges(fixture.writer, ['b.txt', 'a.txt'])).rejects.toMatchObject({ code: 'conflict', place: { file: 'a.txt' } });
  expect(await read('b.txt')).toBe('changed');
  expect(await read('a.txt')).toBe(inConflict);
  await discardChanges(fixture.writer, ['b.txt']);
  expect(await read('b.txt')).toBe('base');
  expect(await fixture.git('ls-files', '-u')).toContain('a.txt');
});
