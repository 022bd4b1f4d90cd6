import { elementCount, type Shape, tensorBytes } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { expandBroadcast } from '../tensors/kernels/broadcast';
import { type Lanes, lanesPerElement, zeroLanes } from '../tensors/kernels/lanes';
import { atStep, incrementalType, withObject } from './chainSteps';
import { openStoredObject } from './openStoredObject';
import { readView } from './readMember';
import { createTurns } from './turns';
import type { ChainStep, UpdateChain } from './updateChain';
import { UpdateRun } from './updateRun';
import type { TensorHeader, Window } from './updateType';

/** Values up to this size are folded in one piece. */
export const WINDOW_BYTES = 16 * 1024 * 1024;

export interface FoldedValue extends TensorHeader {
  readonly lanes: Lanes;
}

/**
 * The value of a chain that is small all the way, as nearly all are: each object is opened once, its update applied, and forgotten.
 * @returns `null` when the base or what a step makes of it takes more than WINDOW_BYTES
 * @throws CheckpointError of opening, malformed, unsupported-format, cancelled
 */
export async function foldAtOnce(chain: UpdateChain, base: ZarrArray, options: FoldOptions): Promise<FoldedValue | null> {
  const { step: first, rest, signal } = options;
  if (tensorBytes(base.dtype, base.shape) > WINDOW_BYTES) return null;
  const turn = createTurns(signal);
  const count = elementCount(base.shape);
  let header: TensorHeader = { dtype: base.dtype, shape: base.shape };
  // Every reading of a stored array decodes it anew, so that it may be changed.
  const lanes = await atStep(chain, first, () => readView(base, { start: 0, count }, signal));
  let run = new UpdateRun({ start: 0, count, dtype: base.dtype, lanes, zeroAdded: false }, () => false);
  for (const step of rest) {
    const pending = turn();
    if (pending !== undefined) await pending;
    const type = incrementalType(chain, step);
    const before = header;
    const result = await withObject(chain, step, { open: openStoredObject, signal }, async ({ members }) => {
      const { dtype, shape } = await type.header(members, before);
      if (tensorBytes(dtype, shape) > WINDOW_BYTES) return null;
      const grows = elementCount(shape) !== elementCount(before.shape);
      if (grows) run = new UpdateRun(broadcast(await run.result(), before, shape), () => false);
      const previous = grows ? { ...before, shape } : before;
      const applier = await type.prepare(members, { previous, result: { dtype, shape }, signal });
      await run.add({ applier, members, dtype });
      return { dtype, shape };
    });
    if (result === null) return null;
    header = result;
  }
  return { ...header, lanes: (await run.result()).lanes };
}

export interface FoldOptions {
  /** That of the base, and those behind it. */
  readonly step: ChainStep;
  readonly rest: readonly ChainStep[];
  readonly signal: AbortSignal | undefined;
}

/** The value in the shape that it has after a step, where that has more elements. */
function broadcast(window: Window, before: TensorHeader, shape: Shape): Window {
  const count = elementCount(shape);
  const lanes = zeroLanes(before.dtype, count);
  expandBroadcast(window.lanes, lanes, { from: before.shape, to: shape, start: 0, count, width: lanesPerElement(before.dtype) });
  return { ...window, count, lanes };
}
