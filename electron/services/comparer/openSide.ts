import { BoundedMap } from '../../../shared/base/boundedMap';
import { isCheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, headCommit } from '../../../shared/model/commit';
import type { Side } from '../../../shared/model/side';
import { fileIdentity } from '../../bytes/fileIdentity';
import { readSmallFile } from '../../bytes/readSmallFile';
import { blobId } from '../../git/blobId';
import type { CheckpointCache } from '../checkpoints/checkpointCache';
import { openFile } from '../checkpoints/openFile';
import type { OpenedRepository } from '../repositories/openedRepository';
import { workTreePath } from '../tracker/workTreePath';
import type { ComparedCheckpoint, ComparedSides } from './comparedCheckpoint';

/** Parameter groups kept over all opened files. */
const MAX_GROUPS = 100_000;
/** Metadata and pointers are smaller; what is larger is a checkpoint or nothing that we know. */
const MAX_STORED_TEXT = 64 * 1024 * 1024;

export interface SideOpenerOptions {
  readonly checkpoints: CheckpointCache;
  /** @throws not-found for a repository that the user has not opened */
  readonly repository: (id: string) => OpenedRepository;
}

export interface SideOpener {
  /** @throws CheckpointError what opening a version or a file can give */
  open(side: Side, signal?: AbortSignal): Promise<ComparedCheckpoint>;
  openBoth(sides: { readonly a: Side; readonly b: Side }, signal?: AbortSignal): Promise<ComparedSides>;
}

/**
 * Opens sides by their headers and keeps them: a comparison asks for the same two again and again. Versions never change; a file is looked at
 * each time, and read anew when it was written since.
 */
export function createSideOpener({ checkpoints, repository }: SideOpenerOptions): SideOpener {
  const files = new BoundedMap<string, ComparedCheckpoint>(MAX_GROUPS, { weigh: ({ opened }) => opened.groups.size + 1, atLeast: 2 });
  const opening = new Map<string, Promise<ComparedCheckpoint>>();

  const openVersion = async (side: Extract<Side, { kind: 'version' }>, signal?: AbortSignal): Promise<ComparedCheckpoint> => {
    const within = repository(side.repository);
    return { opened: await checkpoints.open(within, side, signal), repository: within, identity: null };
  };

  const openPath = async (path: string, within: OpenedRepository | null, name: string, signal?: AbortSignal): Promise<ComparedCheckpoint> => {
    const { identity, bytes } = await fileIdentity(path);
    const known = files.get(path);
    if (known !== undefined && known.identity === identity && known.repository === within) return known;
    const version = { commit: null, path: within === null ? path : name };
    const opened = await openFile({ version, storage: 'file', original: { path, bytes, expected: null }, name }, signal);
    const side = { opened, repository: within, identity };
    files.set(path, side);
    return side;
  };

  const openWork = async ({ repository: id, path }: Extract<Side, { kind: 'worktree' }>, signal?: AbortSignal): Promise<ComparedCheckpoint> => {
    const within = repository(id);
    const file = await workTreePath(within, path);
    try {
      return await openPath(file, within, path, signal);
    } catch (error) {
      const commit =
        isCheckpointError(error, 'unsupported-format') || isCheckpointError(error, 'missing-object') ? await headWithSame(within, { file, path }) : null;
      if (commit === null) throw error;
      return openVersion({ kind: 'version', repository: id, commit, path }, signal);
    }
  };

  const openNow = (side: Side, signal?: AbortSignal): Promise<ComparedCheckpoint> => {
    switch (side.kind) {
      case 'version':
        return openVersion(side, signal);
      case 'worktree':
        return openWork(side, signal);
      case 'file':
        return openPath(side.path, null, side.path, signal);
    }
  };

  const open = async (side: Side, signal?: AbortSignal): Promise<ComparedCheckpoint> => {
    const key = JSON.stringify(side);
    // A second caller waits for the first; when that one gives up, it tries for itself.
    const running = await opening.get(key)?.catch(() => null);
    if (running != null) return running;
    const started = openNow(side, signal).finally(() => {
      if (opening.get(key) === started) opening.delete(key);
    });
    opening.set(key, started);
    return started;
  };

  return {
    open,
    async openBoth({ a, b }, signal) {
      // One after the other where they are the same, side by side else.
      const [first, second] = await Promise.allSettled([open(a, signal), open(b, signal)]);
      if (first.status === 'rejected') throw first.reason;
      if (second.status === 'rejected') throw second.reason;
      return { a: first.value, b: second.value };
    },
  };
}

/** HEAD, when the file of the work tree is what git stores there: metadata or a pointer that no filter has made a checkpoint of. */
async function headWithSame({ git }: OpenedRepository, { file, path }: { readonly file: string; readonly path: string }): Promise<CommitHash | null> {
  const commit = headCommit(await git.head());
  const entry = commit === null ? null : await git.entry(commit, path);
  if (entry === null) return null;
  const bytes = await readSmallFile(file, MAX_STORED_TEXT).catch(() => null);
  return bytes !== null && blobId(bytes, entry.oid.length) === entry.oid ? commit : null;
}
