import { CheckpointError } from '../../shared/contract/errors';
import { openZarrObject, type ZarrArray } from '../encodings/zarr/openZarrObject';
import { openUnverified, openVerified } from './openVerified';
import type { StoredObject } from './updateChain';

/** What git-theta stored for one entry: an array for every member. */
export interface ThetaObject {
  readonly members: ReadonlyMap<string, ZarrArray>;
  close(): Promise<void>;
}

/**
 * Opens an object of the LFS store for reading: size and SHA-256 are verified first, then names and headers are read.
 * @throws CheckpointError missing-object, corrupt-object (truncated or changed), malformed, unsupported-format, cancelled
 */
export async function openStoredObject(object: StoredObject, signal?: AbortSignal): Promise<ThetaObject> {
  return open(object, { verify: true, signal });
}

/** As `openStoredObject`, but only the size is verified: for headers, which are checked by themselves. */
export async function peekStoredObject(object: StoredObject, signal?: AbortSignal): Promise<ThetaObject> {
  return open(object, { verify: false, signal });
}

async function open(object: StoredObject, options: { readonly verify: boolean; readonly signal: AbortSignal | undefined }): Promise<ThetaObject> {
  const source = options.verify ? await openVerified(object, options.signal) : await openUnverified(object);
  try {
    return { members: await openZarrObject(source, options.signal), close: () => source.close() };
  } catch (error) {
    await source.close();
    throw CheckpointError.from(error).at({ oid: object.oid, file: object.path });
  }
}
