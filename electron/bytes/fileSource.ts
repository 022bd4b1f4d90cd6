import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { CheckpointError } from '../../shared/contract/errors';
import type { ByteSource } from './byteSource';
import { checkRange } from './checkRange';
import { fileError } from './fileError';
import { openRegular } from './openRegular';

/**
 * A file on disk, opened read-only. Its length is what it was when it was opened; a file that shrinks afterwards
 * gives `truncated`, never a short read.
 */
export async function openFileSource(path: string): Promise<ByteSource> {
  const { handle, size: length } = await openRegular(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return {
    length,
    read: async (offset, size) => {
      checkRange(offset, size, length, path);
      const bytes = Buffer.allocUnsafeSlow(size);
      await readExactly(handle, bytes, offset, path);
      return bytes;
    },
    readInto: async (offset, into) => {
      checkRange(offset, into.byteLength, length, path);
      await readExactly(handle, into, offset, path);
    },
    readIntoSync: (offset, into) => {
      checkRange(offset, into.byteLength, length, path);
      readExactlySync(handle, into, { position: offset, path });
    },
    close: () => handle.close(),
  };
}

/** Fills `into` from `position`; a read may return less than was asked for, so it is repeated. */
async function readExactly(handle: FileHandle, into: Uint8Array, position: number, path: string): Promise<void> {
  let done = 0;
  while (done < into.byteLength) {
    const { bytesRead } = await handle.read(into, done, into.byteLength - done, position + done).catch((error: unknown) => {
      throw fileError(error, path);
    });
    if (bytesRead === 0) throw becameShorter(position + done, path);
    done += bytesRead;
  }
}

function readExactlySync(handle: FileHandle, into: Uint8Array, { position, path }: { readonly position: number; readonly path: string }): void {
  let done = 0;
  try {
    while (done < into.byteLength) {
      const bytesRead = readSync(handle.fd, into, done, into.byteLength - done, position + done);
      if (bytesRead === 0) throw becameShorter(position + done, path);
      done += bytesRead;
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

function becameShorter(offset: number, path: string): CheckpointError {
  return new CheckpointError('truncated', `The file became shorter while it was read: nothing at byte ${offset}.`, { place: { file: path, offset } });
}
