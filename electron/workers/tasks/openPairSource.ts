import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { dtypeBytes } from '../../../shared/model/dtype';
import { widen } from '../../tensors/comparison/comparedType';
import type { PairSource, VisitElements } from '../../tensors/comparison/pairSource';
import { forEachPair, stopReading } from './forEachPair';
import { isPlain, type OpenPair, openPair, type PairPlans } from './openPair';
import type { TaskContext } from './task';

/** Pairs up to this size, in the type they are compared in, are kept: they are read several times. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Bytes handed on at once of what is kept. */
const PIECE = 1024 * 1024;

/** An open pair as a source that can be read again and again. @throws CheckpointError what reading throws, also from its methods */
export function openPairSource(pair: OpenPair, plans: Omit<PairPlans, 'range'>, context: TaskContext): PairSource {
  const { comparedAs, shape, elements, before, after } = pair;
  const size = dtypeBytes(comparedAs);
  const quiet = { ...context, progress: () => {} };
  const known = { shape, elements, dtype: comparedAs, a: before.dtype, b: after.dtype };
  const pause = async () => {
    await setImmediate();
    throwIfCancelled(context.signal);
  };
  const readOf = (streams: OpenPair) => (visit: VisitElements) =>
    forEachPair(
      streams,
      (a, b, at) => {
        if (visit(widen(a, before.dtype, comparedAs), widen(b, after.dtype, comparedAs), streams.from + at) === false) stopReading();
      },
      { context: quiet, before: 0, total: 1 },
    );
  const read = readOf(pair);
  const direct = rangeReader(pair);
  if (elements * size <= KEPT_BYTES) {
    const kept = keep(read, elements, size);
    // Whoever looks at a few elements only need not wait for all of them.
    return { ...known, ...kept, readRange: direct ?? kept.readRange, ranges: true, pause };
  }
  if (direct !== null) return { ...known, read, readRange: direct, ranges: true, pause };
  if (!isPlain(plans.before) || !isPlain(plans.after)) return { ...known, read, readRange: (_from, _count, visit) => read(visit), ranges: false, pause };
  return {
    ...known,
    read,
    ranges: true,
    pause,
    async readRange(from, count, visit) {
      const part = await openPair({ ...plans, range: { from, count } }, context.signal);
      try {
        await readOf(part)(visit);
      } finally {
        await part.close();
      }
    },
  };
}

/** Reads ranges through the files that are open; `null` where the elements do not lie in files just as they are. */
function rangeReader({ before, after, comparedAs }: OpenPair): PairSource['readRange'] | null {
  const [old, now] = [before.fill, after.fill];
  if (old === undefined || now === undefined) return null;
  const [oldSize, nowSize] = [dtypeBytes(before.dtype), dtypeBytes(after.dtype)];
  const most = PIECE / Math.max(oldSize, nowSize);
  // Ranges are read one after the other, and mostly are equally long.
  let [a, b] = [new Uint8Array(0), new Uint8Array(0)];
  return async (from, count, visit) => {
    const needed = Math.min(count, most);
    if (a.byteLength < needed * oldSize) [a, b] = [new Uint8Array(needed * oldSize), new Uint8Array(needed * nowSize)];
    for (let at = from; at < from + count; at += most) {
      const part = Math.min(most, from + count - at);
      const [left, right] = [a.subarray(0, part * oldSize), b.subarray(0, part * nowSize)];
      old(at * oldSize, left);
      now(at * nowSize, right);
      if (visit(widen(left, before.dtype, comparedAs), widen(right, after.dtype, comparedAs), at) === false) return;
    }
  };
}

/** Reads everything when it is first asked for something. */
function keep(read: (visit: VisitElements) => Promise<void>, elements: number, size: number): Pick<PairSource, 'read' | 'readRange'> {
  let kept: { readonly a: Uint8Array; readonly b: Uint8Array } | undefined;
  const load = async () => {
    const [a, b] = [new Uint8Array(elements * size), new Uint8Array(elements * size)];
    await read((left, right, at) => {
      a.set(left, at * size);
      b.set(right, at * size);
      return undefined;
    });
    return { a, b };
  };
  const readRange = async (from: number, count: number, visit: VisitElements) => {
    kept ??= await load();
    const { a, b } = kept;
    const end = (from + count) * size;
    for (let at = from * size; at < end; at += PIECE) {
      const to = Math.min(end, at + PIECE);
      if (visit(a.subarray(at, to), b.subarray(at, to), at / size) === false) return;
    }
  };
  return { read: (visit) => readRange(0, elements, visit), readRange };
}
