import type { ErrorData } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import type { DType } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';

/** One parameter group of a git-theta metadata file. Source of every fact: git-theta 0.2.0 as measured. */
export interface ThetaEntry {
  /** Keys of the nested dictionaries, outermost first. PyTorch and safetensors names are one key, whatever they contain. */
  readonly keys: readonly string[];
  /** Keys joined by `/`, as git-theta prints them. */
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  /** The 16 numbers of the change-detection signature; `null` where another writer left them out. */
  readonly signature: readonly bigint[] | null;
  readonly oid: string;
  /** Bytes of the object. */
  readonly bytes: number;
  /** git-theta's own string; may be one that we do not know. */
  readonly updateType: string;
  /** Commit that holds the base of an incremental update; nothing reads it on a dense one. */
  readonly lastCommit: CommitHash | null;
}

/** An entry that is there but cannot be understood. The others still can. */
export interface BrokenEntry {
  readonly name: string;
  readonly error: ErrorData;
}

export interface ThetaMetadata {
  /** In the order of the file, which git-theta sorts by keys. Names are unique. */
  readonly entries: ReadonlyMap<string, ThetaEntry>;
  readonly broken: readonly BrokenEntry[];
}
