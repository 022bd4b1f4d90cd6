import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import type { TensorStream } from '../../tensors/tensorStream';
import type { UpdateChain } from '../updateChain';
import type { TensorHeader } from '../updateType';
import { type Candidate, writable } from './candidate';
import type { EncodedObject } from './encodeOnce';
import { type BaseNote, notesMember } from './objectNotes';
import { storeObject } from './storeObject';
import type { StoredGroup } from './storeRequest';
import type { ValueFacts } from './valueFacts';

export interface IncrementNotes {
  readonly chain: UpdateChain;
  /** The new value. */
  readonly value: TensorHeader & Pick<ValueFacts, 'sha256'>;
  /** JSON text of the facts about the checkpoint, or `null`. */
  readonly facts: string | null;
}

/** The members of an incremental update's object, with what it builds on noted in it. */
export function incrementMembers(candidate: Candidate, { chain, value, facts }: IncrementNotes): readonly MemberToWrite[] {
  return [...writable(candidate), ...notesMember({ digest: () => value.sha256, base: baseNote(chain), value, facts })];
}

export interface StoreIncrementOptions {
  /** Of the candidate's members and what is noted beside them. */
  readonly object: EncodedObject;
  /** The new value. */
  readonly value: Pick<TensorStream, 'dtype' | 'shape'> & ValueFacts;
  readonly objects: string | null;
  readonly notes: readonly string[];
}

/** Stores an incremental update. @throws CheckpointError cancelled, no-space, permission */
export async function storeIncrement({ kind }: Candidate, { object, value, objects, notes }: StoreIncrementOptions): Promise<StoredGroup> {
  const stored = await storeObject(objects, (sink) => object.write(sink));
  const { dtype, shape, sha256, signature } = value;
  return { kind, ...stored, dtype, shape, sha256, signature, notes };
}

function baseNote({ steps }: UpdateChain): BaseNote | null {
  const last = steps[steps.length - 1];
  return last === undefined ? null : { type: last.kind, oid: last.object.oid, size: last.object.bytes };
}
