import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFixture, type WriterFixture } from '../../git/native/writer/testing/writerFixture';
import type { OpenRepositoryOptions } from '../../git/openRepository';
import { openOne } from '../repositories/repositoryCache';
import { floats, noise, safetensorsFile } from './testing/safetensorsFile';
import { workTreeChanges } from './workTreeChanges';

const checkpoint = (value: number) => safetensorsFile({ weight: floats(Float32Array.of(value, 2, 3)) });

async function changesOf(fixture: WriterFixture, options: OpenRepositoryOptions = {}) {
  const repository = await openOne(fixture.folder, options);
  onTestFinished(() => repository.git.close());
  return workTreeChanges(repository, async () => fixture.writer);
}

/** Two branches that both changed `readme`. */
async function diverged(): Promise<WriterFixture> {
  const fixture = await openFixture();
  const change = async (content: string) => {
    await fixture.write('readme', content);
    await fixture.git('commit', '-q', '-a', '-m', content);
  };
  await fixture.git('checkout', '-q', '-b', 'other');
  await change('theirs');
  await fixture.git('checkout', '-q', 'main');
  await change('ours');
  return fixture;
}

describe('what changed', () => {
  it('are the checkpoints among the files, by content, each with what git would make of it', async () => {
    const fixture = await openFixture();
    await fixture.write('.gitattributes', '*.lfs.safetensors filter=lfs\n*.crypt.safetensors filter=git-crypt\n');
    await fixture.write('kept.safetensors', checkpoint(1));
    await fixture.write('gone.safetensors', checkpoint(1));
    await fixture.git('add', '.gitattributes', 'kept.safetensors', 'gone.safetensors');
    await fixture.git('commit', '-q', '-m', 'kept');
    await fixture.write('kept.safetensors', checkpoint(2));
    await fixture.git('rm', '-q', 'gone.safetensors');
    // So unlike the one that is gone that git does not take it for that one under another name.
    const other = safetensorsFile({ embedding: floats(noise(500)) });
    await fixture.write('new.safetensors', other);
    await fixture.git('add', 'new.safetensors');
    for (const name of ['plain.safetensors', 'by.lfs.safetensors', 'by.crypt.safetensors', 'weights-without-a-name']) await fixture.write(name, checkpoint(4));
    await fixture.write('notes.txt', 'no checkpoint');
    const { changes, obstacle } = await changesOf(fixture);
    expect(obstacle).toBeNull();
    const bytes = checkpoint(4).byteLength;
    const untracked = { kind: 'untracked', staged: false, format: 'safetensors', bytes };
    expect([...changes].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'by.crypt.safetensors', ...untracked, filter: 'other' },
      { path: 'by.lfs.safetensors', ...untracked, filter: 'lfs' },
      { path: 'gone.safetensors', kind: 'deleted', staged: true, format: 'safetensors', bytes: 0, filter: 'none' },
      { path: 'kept.safetensors', kind: 'modified', staged: false, format: 'safetensors', bytes, filter: 'none' },
      { path: 'new.safetensors', kind: 'added', staged: true, format: 'safetensors', bytes: other.byteLength, filter: 'none' },
      { path: 'plain.safetensors', ...untracked, filter: 'none' },
      { path: 'weights-without-a-name', ...untracked, filter: 'none' },
    ]);
  });

  it('counts what else is staged, and leaves alone what is not', async () => {
    const fixture = await openFixture();
    expect((await changesOf(fixture)).otherStaged).toBe(0);
    await fixture.stage({ readme: 'changed', 'a.txt': 'new', 'b.txt': 'new' });
    await fixture.write('c.txt', 'not staged');
    await fixture.write('model.safetensors', checkpoint(1));
    await fixture.git('add', 'model.safetensors');
    expect((await changesOf(fixture)).otherStaged).toBe(3);
  });
});

describe('why no commit can be made', () => {
  it.each(['merge', 'cherry-pick', 'revert', 'rebase'] as const)('a %s is under way', async (command) => {
    const fixture = await diverged();
    if (command === 'revert') {
      await fixture.git('checkout', '-q', 'other');
      await fixture.git('revert', '--no-commit', 'HEAD');
      // git notes a revert that stopped; one that has only changed files is none.
      await writeFile(join(fixture.folder, '.git', 'REVERT_HEAD'), await fixture.git('rev-parse', 'HEAD'));
    } else await expect(fixture.git(command, 'other')).rejects.toThrow();
    const { obstacle } = await changesOf(fixture);
    expect(obstacle).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`A ${command} is under way`),
      hint: expect.stringContaining(`git ${command} --abort`),
    });
  });

  it('another git program holds the index', async () => {
    const fixture = await openFixture();
    const lock = join(fixture.folder, '.git', 'index.lock');
    await writeFile(lock, '');
    const { obstacle } = await changesOf(fixture);
    expect(obstacle).toMatchObject({ code: 'conflict', message: expect.stringContaining(lock), hint: expect.stringContaining('remove this file') });
  });

  it('there is no working tree', async () => {
    const fixture = await openFixture();
    const bare = join(fixture.scratch, 'bare.git');
    await fixture.git('clone', '-q', '--bare', fixture.folder, bare);
    const repository = await openOne(bare);
    onTestFinished(() => repository.git.close());
    const writer = () => Promise.reject(new Error('nothing is to be written'));
    expect(await workTreeChanges(repository, writer)).toMatchObject({
      changes: [],
      obstacle: { code: 'unsupported-repository', message: 'A bare repository has no working tree.' },
    });
  });

  it('there is no git', async () => {
    const fixture = await openFixture();
    const found = await changesOf(fixture, { backend: 'isomorphic' });
    expect(found).toMatchObject({ changes: [], identity: null, obstacle: { code: 'unsupported-repository', message: 'git was not found on this machine.' } });
  });
});
