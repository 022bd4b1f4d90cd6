import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { writeWhole } from '../../bytes/writeWhole';
import { tooLarge, wrongType } from '../objectErrors';
import { type GitCommand, streamGit } from './gitProcess';
import type { NativeObjects } from './nativeObjects';

/** Up to here a blob comes through the shared process; a larger one would keep others waiting and could not be cancelled. */
const SHARED_LIMIT = 4 * 2 ** 20;

export const BLOB_LIMIT = 512 * 2 ** 20;

export async function nativeBlobSize(objects: NativeObjects, oid: string): Promise<number> {
  const found = await objects.find(oid);
  if (found === null) throw await objects.whyMissing(oid);
  if (found.type !== 'blob') throw wrongType(oid, found.type, 'blob');
  return found.size;
}

/** @throws too-large, missing-object, corrupt-object, invalid-request when it is no blob */
export async function readNativeBlob(command: GitCommand, objects: NativeObjects, blob: { readonly oid: string; readonly limit: number }): Promise<Uint8Array> {
  const { oid, limit } = blob;
  const small = await objects.small(oid, Math.min(limit, SHARED_LIMIT));
  if (small.type !== 'blob') throw wrongType(oid, small.type, 'blob');
  if (small.bytes !== null) return small.bytes;
  if (small.size > limit) throw tooLarge(oid, small.size, limit);
  const bytes = Buffer.allocUnsafeSlow(small.size);
  let position = 0;
  for await (const chunk of streamGit(command, ['cat-file', 'blob', oid], { what: `read the blob ${oid}` })) {
    if (position + chunk.length > bytes.length) throw wrongLength(oid);
    position += chunk.copy(bytes, position);
  }
  if (position !== bytes.length) throw wrongLength(oid);
  return bytes;
}

/** The first bytes of a blob; git is stopped once they have come. @throws missing-object, corrupt-object, invalid-request when it is no blob */
export async function readNativeBlobStart(
  command: GitCommand,
  objects: NativeObjects,
  part: { readonly oid: string; readonly length: number },
): Promise<Uint8Array> {
  const { oid, length } = part;
  const small = await objects.small(oid, SHARED_LIMIT);
  if (small.type !== 'blob') throw wrongType(oid, small.type, 'blob');
  if (small.bytes !== null) return small.bytes.subarray(0, length);
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of streamGit(command, ['cat-file', 'blob', oid], { what: `read the blob ${oid}` })) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= length) break;
  }
  return Buffer.concat(chunks).subarray(0, length);
}

/** Streams a blob into a file, which appears under its name only when it is whole. @throws as readNativeBlob, and what the file system says */
export async function writeNativeBlob(
  command: GitCommand,
  objects: NativeObjects,
  target: { readonly oid: string; readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const { oid, path, signal } = target;
  throwIfCancelled(signal);
  const size = await nativeBlobSize(objects, oid);
  await writeWhole(path, async (write) => {
    let written = 0;
    for await (const chunk of streamGit(command, ['cat-file', 'blob', oid], { what: `read the blob ${oid}`, signal })) {
      await write(chunk);
      written += chunk.length;
    }
    if (written !== size) throw wrongLength(oid);
  });
}

function wrongLength(oid: string): CheckpointError {
  return new CheckpointError('corrupt-object', `The blob ${oid} has another length than git says.`, {
    place: { oid },
    hint: 'Run "git fsck" in the repository.',
  });
}
