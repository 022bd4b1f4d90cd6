import type { Output, RepositoryDescription } from '../../../shared/contract/requests';
import type { TrackCandidate, TrackPreview } from '../../../shared/contract/trackRequests';
import type { CheckpointWithChanges, CommitChange } from '../../../shared/model/checkpoint';
import { type CommitDetail, type CommitHash, type CommitInfo, isCommitHash } from '../../../shared/model/commit';

/** Hash of the commit with a number. */
export function hashOf(index: number): CommitHash {
  const hash = index.toString(16).padStart(40, '0');
  if (!isCommitHash(hash)) throw new RangeError(`No hash for ${index}`);
  return hash;
}

const author = { name: 'Ada', email: 'ada@example.org', time: 1_700_000_000, offset: 0 };

/** A line of commits `first`, `first` + 1, …: each the child of the next. */
export function lineOfCommits(count: number, first = 0): CommitInfo[] {
  return Array.from({ length: count }, (_, place) => {
    const index = first + place;
    return { hash: hashOf(index), parents: place === count - 1 ? [] : [hashOf(index + 1)], author, title: `Commit ${index}` };
  });
}

export function detailOf(commit: CommitHash): CommitDetail {
  return { hash: commit, parents: [], author, committer: author, title: `Commit ${Number.parseInt(commit, 16)}`, body: '' };
}

export function repositoryWith(rest: Partial<RepositoryDescription> = {}): RepositoryDescription {
  return {
    id: 'r1',
    path: '/repo',
    name: 'repo',
    bare: false,
    shallow: false,
    backend: 'native',
    head: { kind: 'branch', name: 'main', commit: hashOf(0) },
    refs: [{ kind: 'branch', name: 'main', commit: hashOf(0) }],
    remotes: [],
    submodules: [],
    checkpoints: [{ path: 'model.pt', storage: 'theta', format: 'pytorch', groups: 1, bytes: 100, status: 'unmodified' }],
    notices: [],
    ...rest,
  };
}

export function changeOf(commit: CommitHash, rest: Partial<CommitChange> = {}): CommitChange {
  return { commit, present: true, storage: 'theta', unchanged: 1, tallies: {}, error: null, ...rest };
}

export function checkpointAt(commit: CommitHash, path = 'model.pt'): CheckpointWithChanges {
  const group = {
    name: 'w',
    dtype: 'float32',
    shape: [2],
    bytes: 8,
    updateType: 'dense',
    storedBytes: 8,
    oid: 'ab'.repeat(32),
    tiedTo: null,
    error: null,
  } as const;
  return {
    checkpoint: { version: { commit, path }, format: 'pytorch', storage: 'theta', groups: [group], skipped: [], metadata: [] },
    parent: null,
    groups: [{ change: 'added', group }],
  };
}

export function candidateOf(source: string, rest: Partial<TrackCandidate> = {}): TrackCandidate {
  const name = source.slice(source.lastIndexOf('/') + 1);
  return { source, name, bytes: 100, format: 'pytorch', groups: 2, skipped: 0, path: name, storage: null, problem: null, ...rest };
}

export function previewOf(path: string, rest: Partial<TrackPreview> = {}): TrackPreview {
  const groups: TrackPreview['groups'] = [
    { name: 'w', dtype: 'float32', shape: [2], change: 'modified', updateType: 'sparse', bytes: 8, addedBytes: 4, notes: [] },
    { name: 'b', dtype: 'float32', shape: [2], change: 'unchanged', updateType: 'dense', bytes: 8, addedBytes: 0, notes: [] },
  ];
  return { path, format: 'pytorch', groups, addedBytes: 4, fullBytes: 16, lfsBytes: 100, unchanged: false, notes: [], ...rest };
}

export function worktreeWith(rest: Partial<Output<'worktree/status'>> = {}): Output<'worktree/status'> {
  return { changes: [], otherStaged: 0, identity: { name: 'Ada', email: 'ada@example.org' }, obstacle: null, ...rest };
}
