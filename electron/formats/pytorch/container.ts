import type { PickleValue } from '../../encodings/pickle/pickleValue';
import type { StorageTable } from './storage';

/**
 * A pickle holds names and shapes, some hundred bytes for a tensor. One of this size would describe a million tensors; what is larger
 * holds data of its own, and reading it at once would take a good part of our memory.
 */
export const MAX_PICKLE_BYTES = 256 * 1024 * 1024;

/** A container as the interpreter needs it, whichever it was. */
export interface OpenedContainer {
  readonly value: PickleValue;
  readonly pickleBytes: Uint8Array;
  /** Offset of `pickleBytes` in the file; `null` when they lie there compressed. */
  readonly pickleOffset: number | null;
  readonly storages: StorageTable;
  /** For people, when it is not what torch.save writes today. */
  readonly note: string | null;
}
