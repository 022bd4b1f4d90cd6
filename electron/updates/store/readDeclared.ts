import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import { tensorBytes } from '../../../shared/model/shape';
import type { GitThetaKind } from '../../../shared/model/update';
import { openTensor } from '../openTensor';
import type { Candidate, MemoryMember } from './candidate';
import type { DeclaredMember, StoreRequest } from './storeRequest';

/** Bytes of all members of one update at most: they are in memory while it is applied. */
const MOST_BYTES = 1024 ** 3;

type DeclaredKind = Exclude<GitThetaKind, 'dense'>;

/** Members of git-theta's incremental update types, in its order. */
const MEMBERS: Readonly<Record<DeclaredKind, readonly string[]>> = {
  sparse: ['data', 'indices', 'indptr', 'shape'],
  'low-rank': ['R', 'C'],
  ia3: ['ia3'],
};

/**
 * Reads an update that was produced elsewhere into memory, its members in git-theta's order. Their names say its type.
 * @throws CheckpointError invalid-request: members are missing, unknown or doubled, or not those of the chosen type; too-large; what
 * reading throws
 */
export async function readDeclared(request: StoreRequest, declared: readonly DeclaredMember[], signal: AbortSignal): Promise<Candidate> {
  const kind = kindOf(request, declared);
  const members: MemoryMember[] = [];
  let total = 0;
  for (const name of MEMBERS[kind]) {
    const plan = declared.find(({ member }) => member === name)?.plan;
    if (plan === undefined) continue;
    const stream = await openTensor(plan, signal);
    try {
      const { dtype, shape } = stream;
      const bytes = tensorBytes(dtype, shape);
      total += bytes;
      if (total > MOST_BYTES) {
        throw new CheckpointError('too-large', `The update data takes ${formatBytes(total)} or more; ${formatBytes(MOST_BYTES)} are allowed.`, {
          place: { group: request.group },
        });
      }
      const whole = new Uint8Array(bytes);
      let at = 0;
      for await (const block of stream.blocks(signal)) {
        whole.set(block, at);
        at += block.byteLength;
      }
      members.push({ name, dtype, shape, bytes: whole });
    } finally {
      await stream.close();
    }
  }
  return { kind, members };
}

function kindOf({ group, choice }: StoreRequest, declared: readonly DeclaredMember[]): DeclaredKind {
  const names = declared.map(({ member }) => member);
  const given = names.map((name) => JSON.stringify(name)).join(', ');
  const kinds = choice === 'auto' || choice === 'dense' ? (['sparse', 'low-rank', 'ia3'] as const) : [choice];
  const found = kinds.find((kind) => names.length === MEMBERS[kind].length && MEMBERS[kind].every((name) => names.includes(name)));
  if (found !== undefined) return found;
  const needed = kinds.map((kind) => `${kind} has ${MEMBERS[kind].join(', ')}`).join('; ');
  throw new CheckpointError('invalid-request', `The update data has ${given === '' ? 'no members' : `the members ${given}`}; ${needed}.`, { place: { group } });
}
