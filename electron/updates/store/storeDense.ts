import { tensorBytes } from '../../../shared/model/shape';
import { writeZarrObject } from '../../encodings/zarr/writeZarrObject';
import type { TensorStream } from '../../tensors/tensorStream';
import { encodeDense } from './encodeDense';
import { notesMember } from './objectNotes';
import type { Pace } from './pace';
import { storeObjectIf } from './storeObject';
import type { StoredGroup, StoreRequest } from './storeRequest';
import { type ValueFacts, ValueObserver } from './valueFacts';

/** Values beyond this have their digest noted in the object; smaller ones are hashed faster than the note is looked for. */
const DIGEST_FROM = 64 * 1024;

export interface StoreDenseOptions {
  readonly pace: Pace;
  /** Digest and signature when they are known already. */
  readonly facts: ValueFacts | null;
  readonly notes: readonly string[];
}

/**
 * Stores a complete value, in one pass over it: digest, signature and object.
 * @throws CheckpointError cancelled, no-space, permission; what reading throws
 */
export async function storeDense(value: TensorStream, request: DenseRequest, options: StoreDenseOptions): Promise<StoredGroup> {
  const group = await storeDenseIf(value, request, { ...options, accept: () => true });
  if (group === null) throw new TypeError('A full copy that nobody refused was not stored');
  return group;
}

/**
 * As `storeDense`, but asks whether an object of so many bytes is wanted before it is stored.
 * @returns `null` when it was not accepted
 */
export async function storeDenseIf(
  value: TensorStream,
  { facts: checkpoint, objects, sha256 = null }: DenseRequest,
  { pace, facts, notes, accept }: StoreDenseOptions & { readonly accept: (bytes: number) => boolean },
): Promise<StoredGroup | null> {
  const { dtype, shape } = value;
  const bytes = tensorBytes(dtype, shape);
  const observer = new ValueObserver(dtype, sha256);
  let known = facts;
  const finish = (): ValueFacts => {
    known ??= observer.finish();
    return known;
  };
  pace.expect(bytes);
  const members = [
    encodeDense(value, pace, facts === null ? observer : null),
    ...notesMember({ digest: bytes > DIGEST_FROM ? () => finish().sha256 : null, base: null, value: null, facts: checkpoint }),
  ];
  const object = await storeObjectIf(objects, (sink) => writeZarrObject(members, sink, pace.signal), accept);
  return object === null ? null : { kind: 'dense', ...object, dtype, shape, ...finish(), notes };
}

type DenseRequest = Pick<StoreRequest, 'facts' | 'objects'> & Partial<Pick<StoreRequest, 'sha256'>>;
