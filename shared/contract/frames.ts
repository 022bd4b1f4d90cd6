import * as v from 'valibot';
import { errorDataSchema } from './errors';

/** Work done of the total known so far; `total` is `null` while nobody knows it. Units: bytes, commits or groups. */
const progressSchema = v.object({
  phase: v.string(),
  done: v.number(),
  total: v.nullable(v.number()),
  unit: v.picklist(['bytes', 'commits', 'groups']),
});
export type Progress = v.InferOutput<typeof progressSchema>;

/** Window → host. `input` is checked against the method's own schema by the dispatcher. */
export const clientFrameSchema = v.variant('kind', [
  v.object({ kind: v.literal('call'), id: v.pipe(v.number(), v.safeInteger()), method: v.string(), input: v.unknown() }),
  v.object({ kind: v.literal('cancel'), id: v.pipe(v.number(), v.safeInteger()) }),
]);
export type ClientFrame = v.InferOutput<typeof clientFrameSchema>;

/** Host → window. `output` and `data` are checked against their own schemas by the client. */
export const hostFrameSchema = v.variant('kind', [
  v.object({ kind: v.literal('result'), id: v.number(), output: v.unknown() }),
  v.object({ kind: v.literal('failure'), id: v.number(), error: errorDataSchema }),
  v.object({ kind: v.literal('progress'), id: v.number(), progress: progressSchema }),
  v.object({ kind: v.literal('event'), name: v.string(), data: v.unknown() }),
]);
export type HostFrame = v.InferOutput<typeof hostFrameSchema>;
