/** One axis of a band; steps in elements of the file (never negative) and of the band (negative for a reversed axis). */
export interface GatherAxis {
  readonly extent: number;
  readonly source: number;
  readonly target: number;
}

/** Most bytes of the file read at once. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Bytes that are cheaper to read and ignore than to skip with another read. */
const GAP_BYTES = 64 * 1024;

/**
 * How a band is read: for every index of `outer`, for every chunk of `chunk` steps of `split`, one range of the file that holds
 * those steps and all of `inner`.
 */
export interface WindowPlan {
  readonly outer: readonly GatherAxis[];
  readonly split: GatherAxis;
  readonly chunk: number;
  /** Widest step first. */
  readonly inner: readonly GatherAxis[];
  /** Last element of `inner`, relative to its first. */
  readonly innerReach: number;
  /** Bytes of the largest range. */
  readonly bytes: number;
}

/** Plans the reads of a band so that ranges are as long as possible without reading wide gaps. `item` is bytes of one element. */
export function planWindows(axes: readonly GatherAxis[], item: number): WindowPlan {
  const sorted = axes.toSorted((a, b) => b.source - a.source);
  let depth = sorted.length;
  let reach = 0;
  for (;;) {
    const axis = sorted[depth - 1];
    if (axis === undefined)
      return { outer: [], split: { extent: 1, source: 0, target: 0 }, chunk: 1, inner: sorted, innerReach: reach, bytes: (reach + 1) * item };
    const wider = reach + (axis.extent - 1) * axis.source;
    const gap = (axis.source - reach - 1) * item;
    if ((wider + 1) * item > WINDOW_BYTES || gap > GAP_BYTES) {
      const room = Math.floor(WINDOW_BYTES / item) - reach - 1;
      const chunk = gap > GAP_BYTES ? 1 : Math.min(axis.extent, 1 + Math.floor(room / axis.source));
      const bytes = (reach + (chunk - 1) * axis.source + 1) * item;
      return { outer: sorted.slice(0, depth - 1), split: axis, chunk, inner: sorted.slice(depth), innerReach: reach, bytes };
    }
    reach = wider;
    depth--;
  }
}

/** Steps an odometer over the axes, last axis fastest; false when it has come round. */
export function nextIndex(axes: readonly { readonly extent: number }[], index: number[]): boolean {
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    const next = (index[axis] ?? 0) + 1;
    if (next < (axes[axis]?.extent ?? 1)) {
      index[axis] = next;
      return true;
    }
    index[axis] = 0;
  }
  return false;
}
