/** Part of a source: first byte and number of bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * A length and a range read, no more. Offsets and lengths are bytes and may exceed 2^32.
 * Caching, slicing and coalescing are wrappers over this, not flags in it.
 */
export interface ByteSource {
  readonly length: number;
  /**
   * Exactly `length` bytes from `offset`; the caller must not change them (they may be a view of something shared).
   * @throws CheckpointError `truncated` when the range does not lie inside the source.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Fills `into` from `offset`, for readers that use one buffer again and again. Absent where `read` gives views anyway.
   * @throws CheckpointError `truncated` as `read` does.
   */
  readInto?(offset: number, into: Uint8Array): Promise<void>;
  /** The same without a turn of the event loop, for threads that may wait. */
  readIntoSync?(offset: number, into: Uint8Array): void;
  close(): Promise<void>;
}

/** A sendable way to reopen a source in another thread. */
export type SourceRef = { readonly kind: 'file'; readonly path: string; readonly range?: ByteRange } | { readonly kind: 'memory'; readonly bytes: Uint8Array };
