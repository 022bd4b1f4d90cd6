/** The same run of elements of several tensors. */
export interface Run {
  /** First byte. */
  readonly start: number;
  /** One part for every tensor, all equally long; valid until the next run is asked for. */
  readonly parts: readonly Uint8Array[];
}

/**
 * Reads tensors of one element type and shape side by side, in runs of whole elements.
 * @throws RangeError when one ends before the others
 */
export async function* blocksInStep(tensors: readonly AsyncIterable<Uint8Array>[]): AsyncGenerator<Run> {
  const readers = tensors.map((blocks) => ({ iterator: blocks[Symbol.asyncIterator](), left: new Uint8Array(0) as Uint8Array }));
  let start = 0;
  try {
    for (;;) {
      let ended = 0;
      for (const reader of readers) {
        if (reader.left.byteLength > 0) continue;
        const next = await reader.iterator.next();
        if (next.done === true) ended++;
        else reader.left = next.value;
      }
      if (ended === readers.length) return;
      if (ended > 0) throw new RangeError('Tensors of one shape have different numbers of elements');
      const size = Math.min(...readers.map(({ left }) => left.byteLength));
      yield { start, parts: readers.map(({ left }) => left.subarray(0, size)) };
      for (const reader of readers) reader.left = reader.left.subarray(size);
      start += size;
    }
  } finally {
    for (const { iterator } of readers) await iterator.return?.();
  }
}
