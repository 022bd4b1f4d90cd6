import * as v from 'valibot';
import { commitHash, count, dtype, shape } from '../../shared/contract/schemas';
import { UPDATE_KINDS } from '../../shared/model/update';
import type { TensorPlan, UpdateChain } from '../updates/updateChain';

const byteRange = v.object({ offset: count, length: count });

export const sourceRef = v.variant('kind', [
  v.object({ kind: v.literal('file'), path: v.string(), range: v.exactOptional(byteRange) }),
  v.object({ kind: v.literal('memory'), bytes: v.instance(Uint8Array) }),
]);

const tensorRef = v.object({
  dtype,
  shape,
  source: sourceRef,
  offset: count,
  strides: v.nullable(v.array(v.pipe(v.number(), v.safeInteger()))),
  bigEndian: v.boolean(),
});

const chainStep = v.object({
  kind: v.picklist(UPDATE_KINDS),
  object: v.object({ oid: v.string(), bytes: count, path: v.string() }),
  commit: v.nullable(commitHash),
});

/** An UpdateChain as it arrives in another thread. */
export const updateChain: v.GenericSchema<unknown, UpdateChain> = v.object({ group: v.string(), steps: v.array(chainStep) });

/** A TensorPlan as it arrives in another thread. */
export const tensorPlan: v.GenericSchema<unknown, TensorPlan> = v.variant('kind', [
  v.object({ kind: v.literal('ref'), group: v.string(), ref: tensorRef }),
  v.object({ kind: v.literal('chain'), chain: updateChain }),
]);
