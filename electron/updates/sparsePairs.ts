import { CheckpointError } from '../../shared/contract/errors';
import { type DType, dtypeBytes } from '../../shared/model/dtype';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { isBig, type Lanes, lanesOf } from '../tensors/kernels/lanes';
import { requireMember } from './readMember';
import type { Members } from './updateType';

export interface Pairs {
  /** Flat positions; the reader may change them. */
  readonly indices: Float64Array;
  /** As many values, in the type of the member `data`. */
  readonly values: Lanes;
}

/**
 * Looks at all indices once.
 * @returns whether they ascend strictly, so that windows can be served one after the other
 * @throws CheckpointError malformed when one is outside [0, total)
 */
export async function scanIndices(
  indices: ZarrArray,
  options: { readonly count: number; readonly total: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const { count, total, signal } = options;
  let seen = 0;
  let last = -1;
  let ascending = true;
  for await (const block of count === 0 ? [] : indices.blocks({ signal })) {
    const numbers = toNumbers(indices.dtype, block);
    const end = Math.min(numbers.length, count - seen);
    for (let i = 0; i < end; i++) {
      const index = numbers[i] ?? 0;
      if (index < 0 || index >= total) {
        throw new CheckpointError('malformed', `A sparse update has the index ${index}, but its value has ${total} elements.`);
      }
      ascending &&= index > last;
      last = index;
    }
    seen += end;
    if (seen === count) break;
  }
  return ascending;
}

/** The pairs [from, count) in pieces, in the order in which they are stored. */
export async function* readPairs(
  members: Members,
  options: { readonly from: number; readonly count: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<Pairs> {
  const { from, count, signal } = options;
  if (from >= count) return;
  const data = requireMember(members, 'data');
  const indices = requireMember(members, 'indices');
  const width = dtypeBytes(data.dtype);
  const values = data.blocks({ signal, from })[Symbol.asyncIterator]();
  let left: Uint8Array = new Uint8Array(0);
  let done = from;
  try {
    for await (const block of indices.blocks({ signal, from })) {
      const numbers = toNumbers(indices.dtype, block);
      for (let at = 0; at < numbers.length && done < count; ) {
        if (left.byteLength === 0) {
          const next = await values.next();
          if (next.done === true) return;
          left = next.value;
        }
        const size = Math.min(numbers.length - at, left.byteLength / width, count - done);
        yield { indices: numbers.subarray(at, at + size), values: lanesOf(data.dtype, left.subarray(0, size * width)) };
        left = left.subarray(size * width);
        at += size;
        done += size;
      }
      if (done === count) return;
    }
  } finally {
    await values.return?.(undefined);
  }
}

/** A copy of the indices as doubles, which hold every position exactly. */
function toNumbers(dtype: DType, block: Uint8Array): Float64Array {
  const lanes = lanesOf(dtype, block);
  if (!isBig(lanes)) return new Float64Array(lanes);
  const numbers = new Float64Array(lanes.length);
  for (let i = 0; i < numbers.length; i++) numbers[i] = Number(lanes[i] ?? 0n);
  return numbers;
}
