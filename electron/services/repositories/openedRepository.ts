import type { Disposable } from '../../../shared/base/disposable';
import type { GitRepository } from '../../git/gitRepository';
import type { LfsStore } from '../../git/lfs/lfsStore';
import type { MetadataStore } from '../../theta/metadataStore';
import type { ChainResolver } from '../../theta/resolveChains';
import type { HistoryIndex } from '../history/historyIndex';
import type { StoredAs } from '../storedAs';

/** A repository and what is remembered about it for as long as it is open. */
export interface OpenedRepository extends Disposable {
  readonly id: string;
  /** Root of the work tree, or the git directory of a bare repository. */
  readonly path: string;
  readonly git: GitRepository;
  readonly lfs: LfsStore;
  readonly metadata: MetadataStore;
  readonly chains: ChainResolver;
  readonly history: HistoryIndex;
  readonly storedAs: Map<string, StoredAs>;
  /** Refs, HEAD or the working tree may have moved: what depends on them is read anew. */
  refresh(): void;
}
