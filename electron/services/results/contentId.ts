import { createHash } from 'node:crypto';
import type { TensorRef } from '../../tensors/tensorRef';
import { isPlan, type OpenedGroup, type OriginalFile } from '../checkpoints/openedCheckpoint';

/** Bytes in memory are hashed up to here; small tensors are all that formats keep there. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/**
 * What the value of a group is, as a text: the objects of its chain in their order, or the LFS object or blob of its file and the place in it.
 * Equal ids mean equal dtype, shape and bits. Different ids mean nothing: the same value may be stored in two ways.
 * No name, commit or time is in it, so a renamed group, and the same file at another path or in another clone, have the same id.
 * The id of an LFS object or blob is what git says; objects of git-theta are verified whenever they are read, whole files are not.
 * @returns `null` for a file outside git, a group that cannot be read, and data outside of the version's own file
 */
export function contentId(group: Pick<OpenedGroup, 'plan' | 'original'>): string | null {
  const { plan, original } = group;
  if (!isPlan(plan)) return null;
  if (plan.kind === 'ref') return refId(plan.ref, original);
  return `chain ${plan.chain.steps.map(({ kind, object }) => `${kind}:${object.oid}`).join(' ')}`;
}

function refId(ref: TensorRef, original: OriginalFile | null): string | null {
  const { dtype, shape, strides, bigEndian, source } = ref;
  const layout = `${dtype} [${shape.join(',')}] ${strides === null ? 'c' : `[${strides.join(',')}]`} ${bigEndian ? 'big' : 'little'}`;
  if (source.kind === 'memory') {
    if (source.bytes.byteLength > MAX_HASHED_BYTES) return null;
    return `bytes ${createHash('sha256').update(source.bytes).digest('hex')} +${ref.offset} ${layout}`;
  }
  if (original === null || original.expected === null || source.path !== original.path) return null;
  const { kind, digest } = original.expected;
  return `file ${kind}:${digest} +${(source.range?.offset ?? 0) + ref.offset} ${layout}`;
}
