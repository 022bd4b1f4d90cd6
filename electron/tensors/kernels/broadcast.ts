import { contiguousStrides, type Shape } from '../../../shared/model/shape';
import { isBig, type Lanes } from './lanes';

/** NumPy's broadcasting: axes are aligned at the end; equal, or one of them 1. @returns `null` when the shapes do not fit */
export function broadcastShapes(a: Shape, b: Shape): Shape | null {
  const rank = Math.max(a.length, b.length);
  const result: number[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1) return null;
    result.push(x === 1 ? y : x);
  }
  return result;
}

export interface BroadcastRange {
  readonly from: Shape;
  readonly to: Shape;
  /** First element (flat, C order) of the broadcast array, and how many. */
  readonly start: number;
  readonly count: number;
  /** Lanes of one element. */
  readonly width: number;
}

/** A run of the elements that an array has when it is broadcast to a larger shape. @param into `count * width` lanes of the same type */
export function expandBroadcast(lanes: Lanes, into: Lanes, range: BroadcastRange): void {
  const { from, to, start, count, width } = range;
  const own = contiguousStrides(from);
  // A step along an axis that the array lacks, or has with extent 1, goes nowhere.
  const strides = to.map((_, axis) => {
    const at = axis - to.length + from.length;
    return (from[at] ?? 1) === 1 ? 0 : (own[at] ?? 0);
  });
  const last = to.length - 1;
  const row = to[last] ?? 1;
  const step = strides[last] ?? 0;
  for (let done = 0; done < count; ) {
    const column = (start + done) % row;
    const size = Math.min(row - column, count - done);
    let rest = Math.floor((start + done) / row);
    let at = column * step;
    for (let axis = last - 1; axis >= 0; axis--) {
      const extent = to[axis] ?? 1;
      at += (rest % extent) * (strides[axis] ?? 0);
      rest = Math.floor(rest / extent);
    }
    copyRow(lanes, into, { at: at * width, write: done * width, size: size * width, repeat: step === 0, width });
    done += size;
  }
}

interface Row {
  readonly at: number;
  readonly write: number;
  readonly size: number;
  readonly repeat: boolean;
  readonly width: number;
}

function copyRow(lanes: Lanes, into: Lanes, { at, write, size, repeat, width }: Row): void {
  if (isBig(lanes)) {
    if (!isBig(into)) return;
    if (repeat) into.fill(lanes[at] ?? 0n, write, write + size);
    else into.set(lanes.subarray(at, at + size), write);
  } else if (!isBig(into)) {
    if (!repeat) into.set(lanes.subarray(at, at + size), write);
    else if (width === 1) into.fill(lanes[at] ?? 0, write, write + size);
    else for (let i = 0; i < size; i++) into[write + i] = lanes[at + (i % width)] ?? 0;
  }
}
