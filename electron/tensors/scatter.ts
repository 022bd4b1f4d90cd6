import { type GatherAxis, nextIndex } from './gatherWindows';

/** Rows at least this long are copied by `set`, shorter ones by a loop. */
const LONG_ROW = 32;

export interface ScatterOptions {
  /** Bytes of one element. */
  readonly item: number;
  /** Widest step first; the first element of `window` belongs to the index with only zeros. */
  readonly axes: readonly GatherAxis[];
  /** Where that element goes, in elements. */
  readonly target: number;
}

/**
 * Copies elements from a window of the file into a band of the output. Both start at an element and at an aligned address.
 * Elements are moved as unsigned integers: as floating-point numbers, NaN payloads could change.
 */
export function scatter(window: Uint8Array, output: Uint8Array, options: ScatterOptions): void {
  const { item } = options;
  const unit = Math.min(item, 4);
  const from = unitsOf(window, unit);
  const to = unitsOf(output, unit);
  const units = item / unit;
  const outer = options.axes.map(({ extent, source, target }) => ({ extent, source: source * units, target: target * units }));
  const row = takeRow(outer);
  const index = outer.map(() => 0);
  do {
    let read = 0;
    let write = options.target * units;
    for (let axis = 0; axis < outer.length; axis++) {
      const steps = index[axis] ?? 0;
      read += steps * (outer[axis]?.source ?? 0);
      write += steps * (outer[axis]?.target ?? 0);
    }
    copyRow(from, to, { read, write, row, units });
  } while (nextIndex(outer, index));
}

/** Takes out the axis that the innermost loop walks: the one with the narrowest step, but the longest when that one is short. */
function takeRow(axes: GatherAxis[]): GatherAxis {
  let at = axes.length - 1;
  if ((axes[at]?.extent ?? 0) < LONG_ROW) {
    for (const [i, axis] of axes.entries()) if (axis.extent > (axes[at]?.extent ?? 0)) at = i;
  }
  return axes.splice(at, 1)[0] ?? { extent: 1, source: 0, target: 0 };
}

type Units = Uint8Array | Uint16Array | Uint32Array;

function unitsOf(bytes: Uint8Array, unit: number): Units {
  const length = bytes.byteLength / unit;
  if (unit === 4) return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
  return unit === 2 ? new Uint16Array(bytes.buffer, bytes.byteOffset, length) : bytes;
}

function copyRow(from: Units, to: Units, options: { read: number; write: number; row: GatherAxis; units: number }): void {
  const { row, units } = options;
  let { read, write } = options;
  if (row.source === units && row.target === units && row.extent >= LONG_ROW) {
    to.set(from.subarray(read, read + row.extent * units), write);
    return;
  }
  for (let step = 0; step < row.extent; step++) {
    // The window holds the whole row, so the reads are never undefined.
    for (let part = 0; part < units; part++) to[write + part] = from[read + part] ?? 0;
    read += row.source;
    write += row.target;
  }
}
