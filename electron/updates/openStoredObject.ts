import { BoundedMap } from '../../shared/base/boundedMap';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import { memorySource } from '../bytes/memorySource';
import { openZarrObject, type ZarrArray } from '../encodings/zarr/openZarrObject';
import { identityOf, openUnverified, openVerified, readVerified } from './openVerified';
import type { StoredObject } from './updateChain';

/** What git-theta stored for one entry: an array for every member. */
export interface ThetaObject {
  readonly members: ReadonlyMap<string, ZarrArray>;
  close(): Promise<void>;
}

/** Objects up to this size stay opened for a while. */
const KEPT_BYTES = 256 * 1024;
/** What all of them may take. Where the chunks lie may take more than the object itself: a hostile one has nothing but empty chunks. */
const CAPACITY = 512 * 1024 * 1024;
const MOST_PER_BYTE = 16;
const MOST_PER_OBJECT = 4096;

interface KeptObject {
  readonly members: ThetaObject['members'];
  readonly weight: number;
}

const kept = new BoundedMap<string, KeptObject>(CAPACITY, { weigh: ({ weight }) => weight });

/**
 * Opens an object of the LFS store for reading: size and SHA-256 are verified first, then names and headers are read.
 * @throws CheckpointError missing-object, corrupt-object (truncated or changed), malformed, unsupported-format, cancelled
 */
export async function openStoredObject(object: StoredObject, signal?: AbortSignal): Promise<ThetaObject> {
  return open(object, { verify: true, signal });
}

/** As `openStoredObject`, for who comes back to the same objects again and again. */
export async function openKeptObject(object: StoredObject, signal?: AbortSignal): Promise<ThetaObject> {
  return object.bytes <= KEPT_BYTES ? openSmall(object, signal) : open(object, { verify: true, signal });
}

/** As `openStoredObject`, but only the size is verified: for headers, which are checked by themselves. */
export async function peekStoredObject(object: StoredObject, signal?: AbortSignal): Promise<ThetaObject> {
  return open(object, { verify: false, signal });
}

async function openSmall(object: StoredObject, signal: AbortSignal | undefined): Promise<ThetaObject> {
  throwIfCancelled(signal);
  const known = kept.get(identityOf(object));
  if (known !== undefined) return { members: known.members, close: nothing };
  const { bytes, identity } = readVerified(object);
  try {
    const members = await openZarrObject(memorySource(bytes, object.path), signal);
    kept.set(identity, { members, weight: MOST_PER_OBJECT + MOST_PER_BYTE * bytes.byteLength });
    return { members, close: nothing };
  } catch (error) {
    throw CheckpointError.from(error).at({ oid: object.oid, file: object.path });
  }
}

async function nothing(): Promise<void> {}

async function open(object: StoredObject, options: { readonly verify: boolean; readonly signal: AbortSignal | undefined }): Promise<ThetaObject> {
  const source = options.verify ? await openVerified(object, options.signal) : await openUnverified(object);
  try {
    return { members: await openZarrObject(source, options.signal), close: () => source.close() };
  } catch (error) {
    await source.close();
    // What makes no sense may be damage: then that is what is wrong with it.
    if (!options.verify && isCheckpointError(error, 'malformed')) await openVerified(object, options.signal).then((sound) => sound.close());
    throw CheckpointError.from(error).at({ oid: object.oid, file: object.path });
  }
}
