import * as v from 'valibot';
import { compareRequests } from '../../../shared/contract/compareRequests';
import { CheckpointError } from '../../../shared/contract/errors';
import type { SliceView } from '../../../shared/model/tensorStats';
import type { WorkerPool } from '../../workers/workerPool';
import { resultsFor, valueId } from './comparedCheckpoint';
import type { ReadableGroup } from './findPair';

export interface SliceOptions {
  readonly view: SliceView;
  /** Rows and columns of the picture at most. */
  readonly maxRows: number;
  readonly maxColumns: number;
}

const KIND = 'slice 1';
const schema = compareRequests['side/slice'].output;

/** Part of a group as a picture. @throws CheckpointError invalid-request for a view that the tensor does not have, what reading throws, cancelled */
export async function sliceGroup(
  { side, opened, plan }: ReadableGroup,
  slice: SliceOptions,
  { pool, signal }: { readonly pool: WorkerPool; readonly signal?: AbortSignal | undefined },
): Promise<v.InferOutput<typeof schema>> {
  const id = valueId(side, opened);
  const results = resultsFor([side], [id]);
  const keys = [id?.id ?? null, JSON.stringify([slice.view, slice.maxRows, slice.maxColumns])];
  const known = await results.get(KIND, keys, schema);
  if (known !== null) return known;
  try {
    const found = v.parse(schema, await pool.run('slice', { plan, ...slice }, { signal }));
    await results.set(KIND, keys, found);
    return found;
  } catch (error) {
    throw CheckpointError.from(error).at({ group: opened.group.name });
  }
}
