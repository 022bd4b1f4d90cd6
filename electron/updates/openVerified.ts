import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { BoundedMap } from '../../shared/base/boundedMap';
import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import type { ByteSource } from '../bytes/byteSource';
import { fileError } from '../bytes/fileError';
import { openFileSource } from '../bytes/fileSource';
import { memorySource } from '../bytes/memorySource';
import { readInto } from '../bytes/readInto';
import { readWholeSync } from '../bytes/readWholeSync';
import { missingLfsObject, wrongLfsContent, wrongLfsSize } from '../git/lfs/lfsErrors';
import type { StoredObject } from './updateChain';

/** Bytes of one read while hashing. */
const HASH_READ = 2 * 1024 * 1024;
/** Objects up to this size are read as a whole. */
const SMALL = 1024 * 1024;

/** Objects that this thread has found to be what they should. */
const verified = new BoundedMap<string, true>(20_000);

/**
 * Opens an object of the LFS store after its size and SHA-256 were found to be what its pointer promises. An object that this thread has
 * verified is not hashed again as long as its identity is the same.
 * @throws CheckpointError missing-object, corrupt-object, permission, cancelled
 */
export async function openVerified(object: StoredObject, signal?: AbortSignal): Promise<ByteSource> {
  throwIfCancelled(signal);
  if (object.bytes <= SMALL) return memorySource(readVerified(object).bytes, object.path);
  const identity = identityOf(object);
  const source = await openObject(object);
  try {
    checkSize(object, source.length);
    if (verified.get(identity) === undefined) {
      checkHash(object, await hashOf(source, signal));
      verified.set(identity, true);
    }
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/**
 * All of a small object, verified as by `openVerified`, and its identity.
 * @throws CheckpointError missing-object, corrupt-object, permission
 */
export function readVerified(object: StoredObject): { readonly bytes: Uint8Array; readonly identity: string } {
  try {
    const { bytes, stats } = readWholeSync(object.path, ({ size }) => checkSize(object, Number(size)));
    const identity = identityFrom(object, stats);
    if (verified.get(identity) === undefined) checkHash(object, createHash('sha256').update(bytes).digest('hex'));
    verified.set(identity, true);
    return { bytes, identity };
  } catch (error) {
    throw missingOr(fileError(error, object.path), object);
  }
}

/**
 * What must be the same for an object to be the one that was verified: path, size, time of change and inode.
 * @throws CheckpointError missing-object, permission
 */
export function identityOf(object: StoredObject): string {
  try {
    return identityFrom(object, statSync(object.path, { bigint: true }));
  } catch (error) {
    throw missingOr(fileError(error, object.path), object);
  }
}

/** Opens an object without looking at its content; only its size is checked. @throws CheckpointError missing-object, corrupt-object, permission */
export async function openUnverified(object: StoredObject): Promise<ByteSource> {
  const source = await openObject(object);
  try {
    checkSize(object, source.length);
    // One read for the headers that are all over it.
    return source.length <= SMALL ? await intoMemory(source, object) : source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function intoMemory(source: ByteSource, object: StoredObject): Promise<ByteSource> {
  const bytes = await source.read(0, source.length);
  await source.close();
  return memorySource(bytes, object.path);
}

async function openObject(object: StoredObject): Promise<ByteSource> {
  return openFileSource(object.path).catch((error: unknown) => {
    throw missingOr(error, object);
  });
}

function identityFrom(object: StoredObject, { size, mtimeNs, ino, dev }: BigIntStats): string {
  return [object.oid, object.bytes, size, mtimeNs, ino, dev, object.path].join(' ');
}

async function hashOf(source: ByteSource, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(HASH_READ);
  for (let at = 0; at < source.length; at += HASH_READ) {
    throwIfCancelled(signal);
    const part = buffer.subarray(0, Math.min(HASH_READ, source.length - at));
    await readInto(source, at, part);
    hash.update(part);
  }
  return hash.digest('hex');
}

function checkSize(object: StoredObject, found: number): void {
  if (found !== object.bytes) throw wrongLfsSize(object, found).at({ file: object.path });
}

function checkHash(object: StoredObject, found: string): void {
  if (found !== object.oid) throw wrongLfsContent(object, found).at({ file: object.path });
}

function missingOr(error: unknown, object: StoredObject): CheckpointError {
  const known = CheckpointError.from(error);
  return (known.code === 'not-found' ? missingLfsObject(object, known) : known).at({ oid: object.oid, file: object.path });
}
