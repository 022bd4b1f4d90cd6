import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UpdateKind } from '../../../shared/model/update';
import type { ChainStep, StoredObject, UpdateChain } from '../updateChain';

/** A store of objects in a folder of its own, laid out as git-lfs does. */
export interface ObjectStore {
  put(bytes: Uint8Array): StoredObject;
  step(kind: UpdateKind, bytes: Uint8Array): ChainStep;
  chain(...steps: readonly (readonly [UpdateKind, Uint8Array])[]): UpdateChain;
  remove(): void;
}

export function makeObjectStore(): ObjectStore {
  const folder = mkdtempSync(join(tmpdir(), 'theta-objects-'));
  const put = (bytes: Uint8Array): StoredObject => {
    const oid = createHash('sha256').update(bytes).digest('hex');
    const parent = join(folder, oid.slice(0, 2), oid.slice(2, 4));
    mkdirSync(parent, { recursive: true });
    const path = join(parent, oid);
    writeFileSync(path, bytes);
    return { oid, bytes: bytes.byteLength, path };
  };
  const step = (kind: UpdateKind, bytes: Uint8Array): ChainStep => ({ kind, object: put(bytes), commit: null });
  return {
    put,
    step,
    chain: (...steps) => ({ group: 'layer/weight', steps: steps.map(([kind, bytes]) => step(kind, bytes)) }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
