import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DType } from '../../../../shared/model/dtype';
import type { Shape } from '../../../../shared/model/shape';
import { collect } from '../../../encodings/testing/collect';
import { lfsObjectPath } from '../../../git/lfs/lfsFolders';
import { openTensor } from '../../openTensor';
import type { TensorPlan, UpdateChain } from '../../updateChain';
import type { WorkContext } from '../pace';
import { storeGroup } from '../storeGroup';
import type { StoredGroup, StoreRequest } from '../storeRequest';

/** A tensor in memory. */
export interface Value {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: Uint8Array;
}

export const context: WorkContext = { signal: new AbortController().signal, progress: () => {} };

export function floats(values: ArrayLike<number>, shape: Shape = [values.length]): Value {
  return { dtype: 'float32', shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}

export function planOf({ dtype, shape, bytes }: Value): TensorPlan {
  return { kind: 'ref', group: 'layer/weight', ref: { dtype, shape, source: { kind: 'memory', bytes }, offset: 0, strides: null, bigEndian: false } };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** An LFS store in a folder of its own, and values that are stored in it one after the other. */
export function makeStore() {
  const root = mkdtempSync(join(tmpdir(), 'theta-store-'));
  const objects = join(root, 'lfs', 'objects');
  const request = (value: Value | null, more: Partial<StoreRequest> = {}): StoreRequest => ({
    group: 'layer/weight',
    value: value === null ? null : planOf(value),
    sha256: null,
    base: null,
    choice: 'auto',
    declared: null,
    maxLinks: 50,
    ownTypes: false,
    facts: null,
    values: null,
    objects,
    ...more,
  });
  return {
    objects,
    root,
    request,
    /** Stores a value, on top of a chain or as the first. */
    put: (value: Value | null, more: Partial<StoreRequest> = {}): Promise<StoredGroup> => storeGroup(request(value, more), context),
    /** The chain with what was stored as its last step; a dense one begins anew. */
    extend: (chain: UpdateChain | null, { kind, oid, bytes }: StoredGroup): UpdateChain => {
      const step = { kind, object: { oid, bytes, path: lfsObjectPath(objects, oid) }, commit: null };
      return { group: 'layer/weight', steps: kind === 'dense' ? [step] : [...(chain?.steps ?? []), step] };
    },
    /** What the reading code makes of a chain. */
    read: async (chain: UpdateChain): Promise<Value> => {
      const stream = await openTensor({ kind: 'chain', chain });
      try {
        return { dtype: stream.dtype, shape: stream.shape, bytes: await collect(stream.blocks()) };
      } finally {
        await stream.close();
      }
    },
    /** The names of all files of the store. */
    files: (): string[] =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort(),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
