import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { unpackRepository } from '../../../e2e/fixtures/unpackRepository';
import { openGitWriter } from '../../git/native/writer/openGitWriter';
import { reversingFilter } from '../../git/native/writer/testing/reversingFilter';
import { makeRepository, TestRepository, temporaryFolder } from '../../git/testing/testRepository';
import { userHome } from '../../git/testing/userHome';
import { openOne } from '../repositories/repositoryCache';
import { checkOutMetadata } from './checkOutMetadata';

beforeEach(async () => void (await userHome()));

/** A clone of a repository of git-theta, made before git knew the filter: metadata lies in the work tree. */
async function freshClone(name: string): Promise<TestRepository> {
  const { path, dispose } = await unpackRepository(name);
  const clone = new TestRepository(await temporaryFolder());
  onTestFinished(async () => {
    await dispose();
    await clone.dispose();
  });
  await clone.git(['clone', '-q', `file://${path}`, '.']);
  return clone;
}

/** With a filter that turns the bytes of a file around: that is what a checkout through it is known by. */
async function checkOut(test: TestRepository) {
  const scratch = await temporaryFolder();
  onTestFinished(() => rm(scratch, { recursive: true }));
  const { command } = await reversingFilter(scratch);
  const repository = await openOne(test.path);
  onTestFinished(() => repository.dispose());
  return checkOutMetadata(repository, await openGitWriter(repository.git, { filterCommand: { process: command, clean: command, smudge: command } }));
}

const work = (test: TestRepository, path: string) => readFile(join(test.path, path));
const committed = (test: TestRepository, path: string) => test.bytes(['show', `HEAD:${path}`]);
const reversed = async (test: TestRepository, path: string) => Buffer.from(await committed(test, path)).reverse();

describe('checkOutMetadata', () => {
  it('replaces metadata in a fresh clone by what the filter makes of it, once', async () => {
    const clone = await freshClone('a-pt-linear');
    expect(await work(clone, 'model.pt')).toEqual(await committed(clone, 'model.pt'));
    expect(await checkOut(clone)).toEqual(['model.pt']);
    expect(await work(clone, 'model.pt')).toEqual(await reversed(clone, 'model.pt'));
    expect(await readdir(clone.path)).toEqual(expect.not.arrayContaining([expect.stringContaining('partial')]));
    expect(await checkOut(clone)).toEqual([]);
  });

  it('leaves files that somebody has changed or removed, and checks out the others', async () => {
    const clone = await freshClone('e-two-files');
    const paths = (await clone.git(['ls-files'])).split('\n').filter((path) => path !== '.gitattributes');
    const [first = '', second = ''] = paths;
    expect(paths.length).toBeGreaterThan(1);
    // One byte differs, the size does not.
    const changed = await work(clone, first);
    changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1);
    await clone.write(first, changed);
    expect(await checkOut(clone)).toEqual(paths.slice(1));
    expect(await work(clone, first)).toEqual(changed);
    expect(await work(clone, second)).toEqual(await reversed(clone, second));
    await rm(join(clone.path, second));
    await checkOut(clone);
    await expect(work(clone, second)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('leaves what is tracked and no metadata, and metadata that is not tracked', async () => {
    const clone = await freshClone('a-pt-linear');
    await clone.write('copy.json', await committed(clone, 'model.pt'));
    await clone.write('old.pt', 'a plain blob');
    await clone.write('.gitattributes', '');
    await clone.git(['add', '.gitattributes', 'copy.json', 'old.pt']);
    await clone.git(['commit', '-q', '-m', 'not tracked']);
    expect(await checkOut(clone)).toEqual([]);
    await clone.write('.gitattributes', 'old.pt filter=theta\n');
    const time = new Date(Date.now() - 100_000);
    await utimes(join(clone.path, 'old.pt'), time, time);
    expect(await checkOut(clone)).toEqual([]);
    expect(String(await work(clone, 'old.pt'))).toBe('a plain blob');
  });

  it('has the metadata back when the checkout fails', async () => {
    const clone = await freshClone('a-pt-linear');
    vi.stubEnv('REFUSED', 'model.pt');
    await clone.git(['config', 'filter.theta.required', 'true']);
    await expect(checkOut(clone)).rejects.toThrow();
    expect(await work(clone, 'model.pt')).toEqual(await committed(clone, 'model.pt'));
    expect(await readdir(clone.path)).toEqual(['.git', '.gitattributes', 'model.pt']);
  });

  it('has nothing to do before the first commit, or without a work tree', async () => {
    const unborn = await makeRepository();
    const bare = await makeRepository('--bare');
    onTestFinished(async () => {
      await unborn.dispose();
      await bare.dispose();
    });
    expect(await checkOut(unborn)).toEqual([]);
    const repository = await openOne(bare.path);
    const other = await openOne(unborn.path);
    onTestFinished(() => [repository, other].forEach((one) => void one.dispose()));
    const writer = await openGitWriter(other.git, { filterCommand: { process: 'false', clean: 'false', smudge: 'false' } });
    await bare.git(['update-ref', 'refs/heads/main', await bare.commitTree('empty', [])]);
    expect(await checkOutMetadata(repository, writer)).toEqual([]);
  });
});
