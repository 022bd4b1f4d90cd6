import { throwIfCancelled } from '../../shared/contract/cancelled';
import { dtypeBytes } from '../../shared/model/dtype';
import type { ByteSource } from '../bytes/byteSource';
import { readInto } from '../bytes/readInto';
import { type GatherBand, planBands } from './gatherBands';
import { type GatherAxis, nextIndex, planWindows, type WindowPlan } from './gatherWindows';
import type { Axis } from './layoutAxes';
import { scatter } from './scatter';
import { swapBytes } from './swapBytes';
import type { TensorRef } from './tensorRef';
import { BLOCK_BYTES } from './tensorStream';

/**
 * Most bytes of the output held at once. A band is a contiguous part of the output; its elements are read in the order of the
 * file and scattered into it. The larger the band, the longer the runs of a transposed tensor: a band of this size covers
 * most weight matrices whole, and a transposed matrix of 1 GB of float32 is read in runs of 4 KiB.
 */
const BAND_BYTES = 64 * 1024 * 1024;

/**
 * A strided, transposed or expanded tensor as little-endian C-order blocks in bounded memory: one band of the output and one
 * window of the file. Each band reads every file byte at most once, plus gaps up to a fixed size; nothing is quadratic.
 * `axes` are joined (layoutAxes), not empty, and known to lie inside the source.
 */
export async function* gatherBlocks(
  ref: TensorRef,
  source: ByteSource,
  options: { axes: readonly Axis[]; signal: AbortSignal | undefined; bandBytes?: number },
): AsyncGenerator<Uint8Array> {
  const { axes, signal, bandBytes = BAND_BYTES } = options;
  const item = dtypeBytes(ref.dtype);
  const total = axes.reduce((product, axis) => product * axis.extent, 1);
  const output = Buffer.allocUnsafeSlow(Math.min(total * item, bandBytes));
  let window = new Uint8Array(0);
  for (const band of planBands(axes, Math.floor(bandBytes / item))) {
    throwIfCancelled(signal);
    const plan = planWindows(band.axes, item);
    if (window.byteLength < plan.bytes) window = Buffer.allocUnsafeSlow(plan.bytes);
    const bytes = output.subarray(0, band.elements * item);
    await fillBand(source, { band, plan, item, base: ref.offset, window, output: bytes, signal });
    if (ref.bigEndian) swapBytes(ref.dtype, bytes);
    for (let done = 0; done < bytes.byteLength; done += BLOCK_BYTES) {
      throwIfCancelled(signal);
      yield bytes.subarray(done, Math.min(done + BLOCK_BYTES, bytes.byteLength));
    }
  }
}

interface Fill {
  readonly band: GatherBand;
  readonly plan: WindowPlan;
  readonly item: number;
  readonly base: number;
  readonly window: Uint8Array;
  readonly output: Uint8Array;
  readonly signal: AbortSignal | undefined;
}

async function fillBand(source: ByteSource, fill: Fill): Promise<void> {
  const { band, plan, item, base, window, output, signal } = fill;
  const { outer, split, inner } = plan;
  const index = outer.map(() => 0);
  do {
    const from = offsetOf(outer, index);
    for (let start = 0; start < split.extent; start += plan.chunk) {
      throwIfCancelled(signal);
      const extent = Math.min(plan.chunk, split.extent - start);
      const lowest = band.low + from.source + start * split.source;
      const span = ((extent - 1) * split.source + plan.innerReach + 1) * item;
      const bytes = window.subarray(0, span);
      await readInto(source, base + lowest * item, bytes);
      scatter(bytes, output, { item, axes: [{ ...split, extent }, ...inner], target: band.origin + from.target + start * split.target });
    }
  } while (nextIndex(outer, index));
}

function offsetOf(axes: readonly GatherAxis[], index: readonly number[]): { readonly source: number; readonly target: number } {
  let source = 0;
  let target = 0;
  for (const [i, axis] of axes.entries()) {
    source += (index[i] ?? 0) * axis.source;
    target += (index[i] ?? 0) * axis.target;
  }
  return { source, target };
}
