import type { DType } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';
import type { UpdateKind } from '../../shared/model/update';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import type { Lanes } from '../tensors/kernels/lanes';
import type { OrderedPairs } from './pairs';

export interface TensorHeader {
  readonly dtype: DType;
  readonly shape: Shape;
}

/** Members of an entry's object by name. */
export type Members = ReadonlyMap<string, ZarrArray>;

/** A run of elements (flat, C order) of the value that is being reconstructed. */
export interface Window {
  readonly start: number;
  readonly count: number;
  readonly dtype: DType;
  /** Belong to whoever holds the window and may be changed. */
  readonly lanes: Lanes;
  /** Whether 0 + x is x for every element: true after a sparse update, which leaves no -0.0 and no signalling NaN. */
  readonly zeroAdded: boolean;
}

/** What an update needs to know about its place in the chain. */
export interface StepContext {
  readonly previous: TensorHeader;
  readonly result: TensorHeader;
  readonly signal: AbortSignal | undefined;
}

/** One incremental update of one chain, while its blocks are read. Between windows it may remember numbers; data only where `pairs` tells. */
export interface Applier {
  /** The same elements after the update. Windows come in order, without gaps, in the shape of the result. */
  apply(window: Window, members: Members): Promise<Window>;
  /**
   * An update that changes single elements where they are, without touching the others once zero was added: decoded until it is released, and
   * until then no members are read.
   */
  readonly pairs?: OrderedPairs;
}

export interface IncrementalUpdateType {
  readonly kind: Exclude<UpdateKind, 'dense'>;
  /**
   * Element type and shape after the update, from the headers of its members and what came before.
   * @throws CheckpointError malformed when members are missing or do not fit
   */
  header(members: Members, previous: TensorHeader): Promise<TensorHeader>;
  /** @throws CheckpointError malformed */
  prepare(members: Members, context: StepContext): Promise<Applier>;
}
