import { type GatherAxis, nextIndex } from './gatherWindows';
import type { Axis } from './layoutAxes';

/** A contiguous part of the output. */
export interface GatherBand {
  readonly elements: number;
  /** Axes that vary inside the band; file strides made non-negative by walking reversed axes backwards. */
  readonly axes: readonly GatherAxis[];
  /** Lowest element of the file that the band reaches, relative to the tensor's element with all indices 0. */
  readonly low: number;
  /** Where that element (of all axes' first steps) goes in the band, in elements. */
  readonly origin: number;
}

/**
 * Cuts the output into bands of at most `limit` elements, in C order: all of the inner axes that fit together, and as many steps
 * of the next one as fit.
 */
export function* planBands(axes: readonly Axis[], limit: number): Generator<GatherBand> {
  let depth = axes.length;
  let inner = 1;
  while (depth > 0 && inner * (axes[depth - 1]?.extent ?? 1) <= limit) {
    depth--;
    inner *= axes[depth]?.extent ?? 1;
  }
  const whole = axes.slice(depth);
  const cut = depth > 0 ? axes[depth - 1] : undefined;
  if (cut === undefined) {
    yield band(whole, 0);
    return;
  }
  const outer = axes.slice(0, depth - 1).map((axis) => ({ extent: axis.extent, source: axis.stride, target: 0 }));
  const steps = Math.max(1, Math.floor(limit / inner));
  const index = outer.map(() => 0);
  do {
    const from = outer.reduce((sum, axis, i) => sum + (index[i] ?? 0) * axis.source, 0);
    for (let start = 0; start < cut.extent; start += steps) {
      const extent = Math.min(steps, cut.extent - start);
      yield band([{ extent, stride: cut.stride }, ...whole], from + start * cut.stride);
    }
  } while (nextIndex(outer, index));
}

function band(axes: readonly Axis[], from: number): GatherBand {
  const result: GatherAxis[] = [];
  let target = 1;
  let low = from;
  let origin = 0;
  for (const { extent, stride } of axes.toReversed()) {
    if (stride < 0) {
      low += (extent - 1) * stride;
      origin += (extent - 1) * target;
      result.push({ extent, source: -stride, target: -target });
    } else {
      result.push({ extent, source: stride, target });
    }
    target *= extent;
  }
  return { elements: target, axes: result, low, origin };
}
