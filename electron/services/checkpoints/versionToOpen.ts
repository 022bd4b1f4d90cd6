import type { CommitHash } from '../../../shared/model/commit';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';

/** One path at one commit, and what opening it takes. */
export interface VersionToOpen {
  readonly repository: OpenedRepository;
  readonly commit: CommitHash;
  readonly path: string;
  readonly blobFiles: BlobFiles;
  readonly signal?: AbortSignal;
}
