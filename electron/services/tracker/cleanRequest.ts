import type { Progress } from '../../../shared/contract/frames';
import type { FormatId, GroupChange } from '../../../shared/model/checkpoint';
import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import type { UpdateChoice } from '../../../shared/model/track';
import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import type { StoredObject } from '../../updates/store/takeBackObjects';
import type { TensorPlan } from '../../updates/updateChain';
import type { WorkerPool } from '../../workers/workerPool';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { Arriving } from './arriving';
import type { Previous } from './candidates';

/** A checkpoint file that is to be stored as the new version of a path. */
export interface CleanRequest {
  readonly repository: OpenedRepository;
  readonly pool: WorkerPool;
  /** Path in the repository. */
  readonly path: string;
  /** Absolute path of the file, which must not change meanwhile. */
  readonly file: string;
  /** Set while the file still comes in. */
  readonly arriving?: Arriving;
  /** What `readPrevious` gives for the path, when it has been asked already. */
  readonly previous?: Promise<Previous>;
  /** Blob ids of metadata that stands for just this file (`provenBlobs`): its groups need not be read to know that. */
  readonly proven?: readonly string[];
  readonly choice: UpdateChoice;
  /** Absolute path of a file with side-loaded updates. */
  readonly updateData: string | null;
  /** Whether objects are stored, or only measured. */
  readonly dry: boolean;
  /** Told of each object that was stored, also when the whole fails later. */
  readonly onStored?: (object: StoredObject) => void;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
}

export interface CleanedGroup {
  readonly name: string;
  readonly keys: readonly string[];
  readonly dtype: DType;
  readonly shape: Shape;
  readonly change: GroupChange;
  /** Of a renamed group: its name at HEAD. */
  readonly from?: string;
  /** `null` for a removed group. */
  readonly updateType: string | null;
  /** Bytes of the value. */
  readonly bytes: number;
  /** Bytes of the entry's object. */
  readonly storedBytes: number;
  /** Bytes of a dense object of the value, or of the base that an update builds on: what a full copy takes. */
  readonly fullBytes: number;
  /** Bytes that the store grows by. */
  readonly addedBytes: number;
  readonly notes: readonly string[];
  /** Where the new value is read from: the file, or for a declared update the chain; `null` for a removed group. */
  readonly plan: TensorPlan | null;
  /** SHA-256 of the new value's raw bytes, where it was computed; `null` for a removed group. */
  readonly sha256: string | null;
}

export interface CleanedCheckpoint {
  /** The metadata file, as git stores it; empty where git is to store the file itself. */
  readonly metadata: string;
  /** The file has no parameter group that could carry what it says: git keeps it as it is. */
  readonly asItIs?: true;
  readonly format: FormatId;
  readonly facts: CheckpointFacts;
  /** In the order of the metadata, removed ones among them. */
  readonly groups: readonly CleanedGroup[];
  readonly fileBytes: number;
  /** Groups whose new value is not in the file: declared updates, by joined name. */
  readonly declared: ReadonlySet<string>;
  /** Nothing differs from HEAD. */
  readonly unchanged: boolean;
  readonly notes: readonly string[];
}
