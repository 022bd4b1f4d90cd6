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
  if (elements * size <= KEPT_BYTES) return { ...known, ...keep(read, elements, size), ranges: true, pause };
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
