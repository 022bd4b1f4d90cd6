import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openFixture, type WriterFixture } from '../../git/native/writer/testing/writerFixture';
import { asHash } from '../../git/testing/testRepository';
import { createBranch } from './createBranch';

const branches = (fixture: WriterFixture) => fixture.git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads');

/** Two commits that differ in `notes`, and the hash of the first. */
async function twoCommits(fixture: WriterFixture) {
  const first = asHash(await fixture.git('rev-parse', 'HEAD'));
  await fixture.write('notes', 'one');
  await fixture.git('add', 'notes');
  await fixture.git('commit', '-q', '-m', 'notes');
  return first;
}

describe('a new branch', () => {
  it('that is switched to is there, and HEAD on it', async () => {
    const fixture = await openFixture();
    const first = await twoCommits(fixture);
    await createBranch(fixture.writer, { name: 'older', commit: first, switch: true });
    expect(await fixture.git('symbolic-ref', '--short', 'HEAD')).toBe('older');
    expect(await fixture.git('rev-parse', 'HEAD')).toBe(first);
  });

  it('is not made when the switch to it is refused, and can be made then', async () => {
    const fixture = await openFixture();
    const first = await twoCommits(fixture);
    const path = await fixture.write('notes', 'changed by hand');
    const before = await branches(fixture);
    const branch = { name: 'older', commit: first, switch: true };
    await expect(createBranch(fixture.writer, branch)).rejects.toMatchObject({ code: 'conflict' });
    expect(await branches(fixture)).toBe(before);
    expect(await fixture.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    expect(await readFile(path, 'utf8')).toBe('changed by hand');
    await createBranch(fixture.writer, { ...branch, switch: false });
    expect(await fixture.git('rev-parse', 'older')).toBe(first);
  });

  it('of a name that is taken leaves the one that is there', async () => {
    const fixture = await openFixture();
    const first = await twoCommits(fixture);
    const before = await branches(fixture);
    await expect(createBranch(fixture.writer, { name: 'main', commit: first, switch: true })).rejects.toMatchObject({ code: 'exists' });
    expect(await branches(fixture)).toBe(before);
  });
});
