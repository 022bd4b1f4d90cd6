import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import { makeFolders } from '../../../bytes/makeFolders';
import { wrongLfsContent } from '../lfsErrors';
import { lfsObjectPath } from '../lfsFolders';
import type { TransferObject } from './transferTypes';

const BLOCK = 1024 * 1024;
/** One process may want an object twice at the same time; each has its own file. */
let opened = 0;

/** Bytes of one object that have come so far, in a file that this process has for itself. */
export interface PartFile {
  /** Bytes in it. */
  readonly length: number;
  /** @throws corrupt-object when it gets longer than the object; what the file system says */
  append(bytes: Uint8Array): Promise<void>;
  /** Empties it. */
  restart(): Promise<void>;
  /** Verifies size and SHA-256 and moves the file into the store. @throws corrupt-object, and the file is emptied */
  finish(): Promise<void>;
  /** Closes it and leaves it for a later attempt to go on with; unless it is finished, or empty. */
  release(): Promise<void>;
}

/**
 * Opens the part of an object in `incomplete`, beside the store's folder `objects`, where git-lfs too leaves its own. What an ended process or an
 * earlier attempt left is taken over by renaming it, so that no two write the same file; the SHA-256 is checked over every byte in the end.
 */
export async function openPart(objects: string, object: TransferObject): Promise<PartFile> {
  const target = lfsObjectPath(objects, object.oid);
  const folder = join(dirname(objects), 'incomplete');
  try {
    await makeFolders(folder);
    const path = join(folder, `${object.oid}.${ownerTag(process.pid)}-${opened++}.part`);
    await takeOver(folder, object.oid, path);
    const handle = await open(path, 'a+');
    try {
      return await partOf(handle, { path, target, resumable: join(folder, `${object.oid}.part`), object });
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw fileError(error, target);
  }
}

interface PartPlace {
  readonly path: string;
  readonly target: string;
  /** Name under which the next attempt finds it. */
  readonly resumable: string;
  readonly object: TransferObject;
}

async function partOf(handle: FileHandle, { path, target, resumable, object }: PartPlace): Promise<PartFile> {
  let { hash, length } = await hashOf(handle);
  let finished = false;
  const restart = async () => {
    await handle.truncate(0);
    hash = createHash('sha256');
    length = 0;
  };
  if (length > object.bytes) await restart();
  return {
    get length() {
      return length;
    },
    async append(bytes) {
      if (length + bytes.length > object.bytes) {
        throw new CheckpointError('corrupt-object', `The object ${object.oid.slice(0, 12)} came with more than its ${object.bytes} bytes.`, {
          place: { oid: object.oid },
        });
      }
      try {
        for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
      } catch (error) {
        throw fileError(error, path);
      }
      hash.update(bytes);
      length += bytes.length;
    },
    restart,
    async finish() {
      const digest = hash.copy().digest('hex');
      if (digest !== object.oid || length !== object.bytes) {
        await restart();
        throw wrongLfsContent(object, digest);
      }
      try {
        await handle.sync();
        await makeFolders(dirname(target));
        await handle.close();
        finished = true;
        await rename(path, target).catch((error: unknown) => keepOther(error, { path, target, object }));
      } catch (error) {
        throw fileError(error, target);
      }
    },
    async release() {
      if (finished) return;
      await handle.close();
      if (length === 0) await unlink(path).catch(() => {});
      else await rename(path, resumable).catch(() => {});
    },
  };
}

/** Windows renames onto no file that someone reads; the object is there then. */
async function keepOther(error: unknown, { path, target, object }: Pick<PartPlace, 'path' | 'target' | 'object'>): Promise<void> {
  const there = await stat(target).catch(() => null);
  if (there?.isFile() !== true || there.size !== object.bytes) throw error;
  await unlink(path);
}

async function hashOf(handle: FileHandle): Promise<{ hash: Hash; length: number }> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(BLOCK);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, block.length, length);
    if (bytesRead === 0) return { hash, length };
    hash.update(block.subarray(0, bytesRead));
    length += bytesRead;
  }
}

function ownerTag(pid: number): string {
  return `${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-${pid}`;
}

/** Renames what is there of the object to `path`, if nobody is at work on it. */
async function takeOver(folder: string, oid: string, path: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(oid) || !name.endsWith('.part')) continue;
    const owner = name.slice(oid.length + 1, -'.part'.length);
    const free = name === `${oid}.part` || isAbandoned(owner);
    if (free && (await stat(join(folder, name)).catch(() => null))?.isFile() === true) {
      const taken = await rename(join(folder, name), path).then(
        () => true,
        () => false,
      );
      if (taken) return;
    }
  }
}

function isAbandoned(owner: string): boolean {
  const pid = Number(/^[0-9a-f]{8}-(\d+)-\d+$/.exec(owner)?.[1]);
  if (!Number.isSafeInteger(pid) || !owner.startsWith(`${ownerTag(pid)}-`) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
