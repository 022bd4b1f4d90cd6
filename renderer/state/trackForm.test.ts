import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { failed, idle, ready } from './loadable';
import { candidateOf, previewOf, repositoryWith, worktreeWith } from './testing/samples';
import { type CommitSituation, commitProblem, fileName, folderOf, isInPlace, shardsNote, storageAt, sumPreviews, type TrackFile } from './trackForm';

function fileAt(source: string, rest: Partial<TrackFile> = {}): TrackFile {
  const candidate = rest.candidate ?? candidateOf(source);
  return {
    source,
    candidate,
    place: candidate.path,
    update: 'auto',
    updateData: null,
    preview: ready(previewOf(candidate.path)),
    previewStartedAt: 0,
    ...rest,
  };
}

const choices = { message: 'Update', author: null, newBranch: null, convertLfs: false };
const situation = (rest: Partial<CommitSituation> = {}): CommitSituation => ({
  files: [fileAt('/in/a.pt')],
  choices,
  repository: repositoryWith(),
  status: worktreeWith(),
  ...rest,
});

describe('commitProblem', () => {
  it('is none when everything is there, also while previews are computed', () => {
    expect(commitProblem(situation())).toBeNull();
    expect(commitProblem(situation({ files: [fileAt('/in/a.pt', { preview: idle })] }))).toBeNull();
  });

  const lfs = fileAt('/in/a.pt', { candidate: candidateOf('/in/a.pt', { storage: 'lfs' }) });
  it.each<[string, Partial<CommitSituation>, RegExp]>([
    ['the working tree is not read yet', { status: undefined }, /Reading/],
    ['something is in the way', { status: worktreeWith({ obstacle: { code: 'conflict', message: 'A merge is under way.' } }) }, /merge is under way/],
    ['nothing differs', { files: [fileAt('/in/a.pt', { preview: ready(previewOf('a.pt', { unchanged: true })) })] }, /nothing to commit/],
    [
      'no file can be tracked',
      { files: [fileAt('/in/a.pt', { candidate: candidateOf('/in/a.pt', { problem: { code: 'malformed', message: 'x' } }) })] },
      /None/,
    ],
    ['a place is none', { files: [fileAt('/in/a.pt', { place: '../a.pt' })] }, /^a\.pt: .*inside/],
    ['two files have one place', { files: [fileAt('/in/a.pt'), fileAt('/two/a.pt')] }, /same place/],
    ['a preview failed', { files: [fileAt('/in/a.pt', { preview: failed(new CheckpointError('internal', 'x')) })] }, /cannot be stored/],
    ['Git LFS keeps it', { files: [lfs] }, /Git LFS/],
    ['there is no message', { choices: { ...choices, message: ' \n' } }, /message/],
    ['nobody is the author', { status: worktreeWith({ identity: null }) }, /who commits/],
    ['the author has no address', { choices: { ...choices, author: { name: 'Ada', email: ' ' } } }, /who commits/],
    ['the author is markup', { choices: { ...choices, author: { name: 'Ada', email: '<a@b>' } } }, /</],
    ['the branch is there', { choices: { ...choices, newBranch: 'main' } }, /^New branch: .*already/],
  ])('says so when %s', (_name, rest, words) => {
    expect(commitProblem(situation(rest))).toMatch(words);
  });

  it('lets Git LFS files go once that is wanted', () => {
    expect(commitProblem(situation({ files: [lfs], choices: { ...choices, convertLfs: true } }))).toBeNull();
  });
});

it.each([
  ['/a/b/c.pt', 'c.pt', '/a/b'],
  ['/c.pt', 'c.pt', '/'],
  ['C:\\runs\\c.pt', 'c.pt', 'C:\\runs'],
  ['C:\\c.pt', 'c.pt', 'C:\\'],
])('%s is %s in %s', (path, name, folder) => {
  expect([fileName(path), folderOf(path)]).toEqual([name, folder]);
});

it('knows what stands at a place, and whether the file does', () => {
  const repository = repositoryWith({ path: 'C:\\repo' });
  const candidate = candidateOf('C:\\repo\\sub\\a.pt', { path: 'sub/a.pt', storage: 'blob' });
  const file = fileAt(candidate.source, { candidate });
  expect([isInPlace(file, repository), storageAt(file, repository)]).toEqual([true, 'blob']);
  const moved = { ...file, place: 'model.pt' };
  expect([isInPlace(moved, repository), storageAt(moved, repository)]).toEqual([false, 'theta']);
  expect(storageAt({ ...file, place: 'new.pt' }, repository)).toBeNull();
});

it('sums what is known', () => {
  const broken = fileAt('/in/c.pt', { preview: idle, candidate: candidateOf('/in/c.pt', { problem: { code: 'malformed', message: 'x' } }) });
  expect(sumPreviews([fileAt('/in/a.pt'), fileAt('/in/b.pt', { preview: idle }), broken])).toEqual({ addedBytes: 4, fullBytes: 16, lfsBytes: 100, missing: 1 });
});

it('tells of the index that shards have beside them', () => {
  expect(shardsNote([fileAt('/in/model.safetensors'), fileAt('/in/of-1.pt')])).toBeNull();
  expect(shardsNote([fileAt('/in/model-00001-of-00002.safetensors'), fileAt('/in/model-00002-of-00002.safetensors')])).toContain('index.json');
});
