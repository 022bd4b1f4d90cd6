import { createHash } from 'node:crypto';
import type { UpdateChain } from './updateChain';

/** Names the value of a chain, in 64 hexadecimal digits: the objects in their order decide it; where they stand in the history does not. */
export function chainKey({ steps }: UpdateChain): string {
  const hash = createHash('sha256');
  for (const { kind, object } of steps) hash.update(`${kind}:${object.oid}\n`);
  return hash.digest('hex');
}
