import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';

/** What a pointer says of an object. */
interface PromisedObject {
  readonly oid: string;
  readonly bytes: number;
}

const DIGITS = 12;
const FETCH_AGAIN = 'Delete the damaged file from the Git LFS store and fetch it again: theta fetch (git lfs fetch for a file that Git LFS keeps).';

export function missingLfsObject({ oid, bytes }: PromisedObject, cause?: unknown): CheckpointError {
  return new CheckpointError('missing-object', `The object ${oid.slice(0, DIGITS)} (${formatBytes(bytes)}) is not in the Git LFS store.`, {
    place: { oid },
    hint: 'Fetch it with theta fetch (git lfs fetch for a file that Git LFS keeps), or copy it from a clone that has it.',
    cause,
  });
}

/** @param found bytes of the file in the store */
export function wrongLfsSize({ oid, bytes }: PromisedObject, found: number): CheckpointError {
  const fault = found < bytes ? 'truncated' : 'too long';
  return new CheckpointError('corrupt-object', `The object ${oid.slice(0, DIGITS)} is ${fault}: it has ${found} bytes instead of ${bytes}.`, {
    place: { oid, offset: Math.min(found, bytes) },
    hint: FETCH_AGAIN,
  });
}

/** @param found SHA-256 of the file in the store */
export function wrongLfsContent({ oid }: Pick<PromisedObject, 'oid'>, found: string): CheckpointError {
  return new CheckpointError('corrupt-object', `The object ${oid.slice(0, DIGITS)} is damaged: its content has the SHA-256 ${found.slice(0, DIGITS)}….`, {
    place: { oid },
    hint: FETCH_AGAIN,
  });
}
