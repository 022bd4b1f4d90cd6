import type { Shape } from '../../shared/model/shape';
import { contiguousStrides } from '../../shared/model/shape';

/** One axis of a strided tensor; `stride` counts elements and may be 0 (expanded) or negative (reversed). */
export interface Axis {
  readonly extent: number;
  readonly stride: number;
}

/**
 * The axes of a strided tensor, outermost first, without those of extent 1, neighbours that step evenly joined into one.
 * A contiguous tensor becomes at most one axis of stride 1. `strides` of `null` means contiguous.
 */
export function layoutAxes(shape: Shape, strides: readonly number[] | null): Axis[] {
  const axes: Axis[] = [];
  const steps = strides ?? contiguousStrides(shape);
  for (const [index, extent] of shape.entries()) {
    if (extent === 1) continue;
    const stride = steps[index] ?? 0;
    const outer = axes.at(-1);
    if (outer !== undefined && outer.stride === stride * extent) axes[axes.length - 1] = { extent: outer.extent * extent, stride };
    else axes.push({ extent, stride });
  }
  return axes;
}

/** Lowest and highest element that the axes reach, relative to the one with all indices 0, in elements. No axis may be empty. */
export function reach(axes: readonly Axis[]): { readonly low: number; readonly high: number } {
  let low = 0;
  let high = 0;
  for (const { extent, stride } of axes) {
    const last = (extent - 1) * stride;
    if (last < 0) low += last;
    else high += last;
  }
  return { low, high };
}
