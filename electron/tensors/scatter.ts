import { type GatherAxis, nextIndex } from './gatherWindows';

/** Rows at least this long are copied by `set`, shorter ones by a loop. */
const LONG_ROW = 32;
/**
 * Steps of either axis that are copied together when the file's order and the output's differ: the bytes of 16 small elements
 * are a cache line, and a tile's lines are used up before they are evicted. (Row by row, a transposed matrix of a power of two is ten times slower.)
 */
const TILE = 16;

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
  const row = takeAxis(outer, (axis) => axis.source);
  const rows = row.source === units && row.target === units ? SINGLE : takeAxis(outer, (axis) => Math.abs(axis.target));
  const index = outer.map(() => 0);
  do {
    let read = 0;
    let write = options.target * units;
    for (let axis = 0; axis < outer.length; axis++) {
      const steps = index[axis] ?? 0;
      read += steps * (outer[axis]?.source ?? 0);
      write += steps * (outer[axis]?.target ?? 0);
    }
    copyRows(from, to, { read, write, row, rows, units });
  } while (nextIndex(outer, index));
}

const SINGLE: GatherAxis = { extent: 1, source: 0, target: 0 };

/** Takes out the axis with the smallest step of a kind; axes of one step do not count. */
function takeAxis(axes: GatherAxis[], step: (axis: GatherAxis) => number): GatherAxis {
  let found = -1;
  for (const [i, axis] of axes.entries()) {
    const best = axes[found];
    if (axis.extent > 1 && (best === undefined || step(axis) < step(best))) found = i;
  }
  return found < 0 ? SINGLE : (axes.splice(found, 1)[0] ?? SINGLE);
}

type Units = Uint8Array | Uint16Array | Uint32Array;

function unitsOf(bytes: Uint8Array, unit: number): Units {
  const length = bytes.byteLength / unit;
  if (unit === 4) return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
  return unit === 2 ? new Uint16Array(bytes.buffer, bytes.byteOffset, length) : bytes;
}

interface Rows {
  readonly read: number;
  readonly write: number;
  /** Narrowest step of the file. */
  readonly row: GatherAxis;
  /** Narrowest step of the output among the others. */
  readonly rows: GatherAxis;
  readonly units: number;
}

function copyRows(from: Units, to: Units, { read, write, row, rows, units }: Rows): void {
  if (row.source === units && row.target === units && row.extent >= LONG_ROW) {
    to.set(from.subarray(read, read + row.extent * units), write);
    return;
  }
  for (let outer = 0; outer < row.extent; outer += TILE) {
    const outerEnd = Math.min(outer + TILE, row.extent);
    for (let inner = 0; inner < rows.extent; inner += TILE) {
      const innerEnd = Math.min(inner + TILE, rows.extent);
      for (let i = outer; i < outerEnd; i++) {
        let source = read + i * row.source + inner * rows.source;
        let target = write + i * row.target + inner * rows.target;
        for (let j = inner; j < innerEnd; j++) {
          // The window holds the whole tile, so the reads are never undefined.
          for (let part = 0; part < units; part++) to[target + part] = from[source + part] ?? 0;
          source += rows.source;
          target += rows.target;
        }
      }
    }
  }
}
