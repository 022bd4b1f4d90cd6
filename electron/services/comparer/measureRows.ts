import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { ErrorData } from '../../../shared/contract/errors';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { ComparedSides } from './comparedCheckpoint';
import { findPair, type PairName, type ReadablePair } from './findPair';
import { type MeasureContext, type MeasuredRow, measureRow, rowError } from './measureRow';

export type RowResult = { readonly row: MeasuredRow; readonly error: null } | { readonly row: null; readonly error: ErrorData };

export interface MeasureRowsContext extends MeasureContext {
  /** Bytes of `b`'s groups done, of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Numbers of many rows, in their order; the largest are begun first, as many at a time as there are workers. A row that cannot be compared says
 * why, and the others are there. @throws CheckpointError cancelled
 */
export async function measureRows(sides: ComparedSides, names: readonly PairName[], context: MeasureRowsContext): Promise<readonly RowResult[]> {
  const results = new Array<RowResult>(names.length);
  const jobs: { readonly index: number; readonly pair: ReadablePair; readonly bytes: number }[] = [];
  for (const [index, name] of names.entries()) {
    try {
      const pair = findPair(sides, name);
      jobs.push({ index, pair, bytes: pair.b.opened.group.bytes });
    } catch (error) {
      results[index] = { row: null, error: rowError(error, name.b) };
    }
  }
  const total = jobs.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const { controller, release } = linkedController(context.signal);
  try {
    const work = async ({ index, pair, bytes }: (typeof jobs)[number]) => {
      try {
        results[index] = { row: await measureRow(pair, { ...context, signal: controller.signal }), error: null };
      } catch (error) {
        throwIfCancelled(controller.signal);
        results[index] = { row: null, error: rowError(error, pair.b.opened.group.name) };
      }
      done += bytes;
      context.onProgress?.(done, total);
    };
    // Twice as many as workers: what is known already does not keep one waiting.
    await forEachLimited(
      jobs.sort((one, other) => other.bytes - one.bytes),
      work,
      { limit: 2 * context.pool.size, controller },
    );
  } finally {
    release();
  }
  return results;
}
