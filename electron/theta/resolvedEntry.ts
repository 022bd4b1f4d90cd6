import type { CommitHash } from '../../shared/model/commit';
import type { ThetaEntry } from './metadata';

/** A metadata file at a commit. */
export interface MetadataPlace {
  readonly commit: CommitHash;
  readonly path: string;
  readonly blob: string;
}

export interface ResolvedEntry {
  readonly place: MetadataPlace;
  readonly entry: ThetaEntry;
}
