import { createHash } from 'node:crypto';
import { CheckpointError } from '../../../shared/contract/errors';
import { openLfsStore } from '../../git/lfs/lfsStore';
import { type OpenRepositoryOptions, openRepository } from '../../git/openRepository';
import { createMetadataStore } from '../../theta/metadataStore';
import { createChainResolver } from '../../theta/resolveChains';
import { createHistoryIndex } from '../history/historyIndex';
import type { StoredAs } from '../storedAs';
import type { OpenedRepository } from './openedRepository';

/** Repositories kept open; each holds a git process or two. The least recently used one is closed. */
const MAX_OPEN = 8;

export interface RepositoryCache {
  /** Opens the repository that holds a folder or file; the same one twice is opened once. */
  open(path: string, signal?: AbortSignal): Promise<OpenedRepository>;
  /** A repository that was opened before. @throws not-found for any other id: nothing is reachable that the user has not opened */
  get(id: string): OpenedRepository;
  close(id: string): void;
  dispose(): void;
}

/** Opened repositories by id; `onClosed` hears of each that is closed, also of those that had to make room. */
export function createRepositoryCache(onClosed: (id: string) => void = () => {}): RepositoryCache {
  const opened = new Map<string, OpenedRepository>();

  const close = (id: string) => {
    const repository = opened.get(id);
    if (repository === undefined) return;
    opened.delete(id);
    repository.dispose();
    onClosed(id);
  };

  return {
    async open(path, signal) {
      const repository = await openOne(path, signal === undefined ? {} : { signal });
      const known = opened.get(repository.id);
      if (known !== undefined) {
        repository.dispose();
        opened.delete(known.id);
        opened.set(known.id, known);
        known.refresh();
        return known;
      }
      opened.set(repository.id, repository);
      for (const id of [...opened.keys()].slice(0, -MAX_OPEN)) close(id);
      return repository;
    },
    get(id) {
      const repository = opened.get(id);
      if (repository === undefined) {
        throw new CheckpointError('not-found', 'This repository is not open.', { hint: 'Open it again from the Welcome screen.' });
      }
      return repository;
    },
    close,
    dispose() {
      for (const id of [...opened.keys()]) close(id);
    },
  };
}

/** Opens the repository that holds a folder or file, for a caller that closes it itself. @throws CheckpointError not-found, unsupported-repository, permission */
export async function openOne(path: string, options: OpenRepositoryOptions = {}): Promise<OpenedRepository> {
  const git = await openRepository(path, options);
  try {
    const lfs = await openLfsStore(git);
    const metadata = createMetadataStore(git);
    const history = createHistoryIndex(git);
    const storedAs = new Map<string, StoredAs>();
    const root = git.place.workTree ?? git.place.gitDir;
    return {
      id: createHash('sha256').update(root).digest('hex').slice(0, 32),
      path: root,
      git,
      lfs,
      metadata,
      chains: createChainResolver({ repository: git, metadata, objectPath: (oid) => lfs.pathOf(oid) }),
      history,
      storedAs,
      refresh() {
        history.reset();
      },
      dispose() {
        history.dispose();
        void git.close();
      },
    };
  } catch (error) {
    await git.close();
    throw error;
  }
}
