import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from '../bytes/fileError';
import { systemCode } from '../bytes/systemCode';
import { uploadName } from './uploadName';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface UploadsOptions {
  /** Where files are kept, each in a folder with a random name; made when the first one comes. */
  readonly folder: string;
  /** Bytes that the file system still takes; by default what it says itself. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Files older than this are deleted; a day by default. */
  readonly lifeMs?: number;
}

/** Files that a browser sends because it does not tell where they lie. */
export interface Uploads {
  /**
   * Writes the body of a request to a file of its own.
   * @param query the part of the address after `?`, which must name the file: `name=model.pt`
   * @returns the absolute path, once every byte is there
   * @throws CheckpointError `invalid-request` for a name that is none, `no-space`, `cancelled` when the browser has gone; nothing is left behind
   */
  receive(request: IncomingMessage, query: string): Promise<string>;
  /** Deletes a file that was received and is not needed any more. Says whether there was one of this path. */
  release(path: string): Promise<boolean>;
  /** Deletes what was received. */
  close(): Promise<void>;
}

/** Keeps uploads for as long as this host runs, but at most a day; those of a host that was killed go with the next one. */
export function createUploads({ folder, freeBytes = freeBytesOf, lifeMs = DAY_MS }: UploadsOptions): Uploads {
  const own = new Set<string>();
  const arriving = new Set<string>();
  const tidy = () => deleteOlder(folder, lifeMs, arriving);
  void tidy();
  const timer = setInterval(() => void tidy(), Math.min(lifeMs, DAY_MS / 24));
  // A host with nothing else to do may end.
  timer.unref();

  return {
    async receive(request, query) {
      const name = uploadName(query);
      // The random part keeps two files of one name apart, and makes the path of one unguessable for other users of the machine.
      const place = join(folder, randomBytes(16).toString('hex'));
      arriving.add(place);
      try {
        await mkdir(place, { recursive: true, mode: 0o700 });
        await store(request, join(place, name), await freeBytes(folder));
        own.add(place);
        return join(place, name);
      } catch (error) {
        await rm(place, { recursive: true, force: true }).catch(() => undefined);
        throw error;
      } finally {
        arriving.delete(place);
      }
    },
    async release(path) {
      // Only folders that were made here are ever deleted, whatever the path says.
      const place = dirname(path);
      if (!own.delete(place)) return false;
      await rm(place, { recursive: true, force: true });
      return true;
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...own].map((place) => rm(place, { recursive: true, force: true }).catch(() => undefined)));
      own.clear();
    },
  };
}

/** @param room bytes that may be written */
async function store(request: IncomingMessage, file: string, room: number): Promise<void> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > room) throw noSpace(announced, room);
  let received = 0;
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      // Not by a pipeline: where writing fails it would end the connection, and the browser would never hear why.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        received += chunk.byteLength;
        if (received > room) throw noSpace(received, room);
        await handle.appendFile(chunk);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw isCut(error) ? cancelledError(error) : fileError(error, file);
  }
  // Node ends a body that stops short with an error already; this one must hold whatever a parser lets through.
  if (!request.complete || (!Number.isNaN(announced) && received !== announced)) throw cancelledError();
}

/** The browser has gone, or gave the upload up. */
function isCut(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'EPIPE' || code === 'ECONNABORTED';
}

function noSpace(needed: number, room: number): CheckpointError {
  return new CheckpointError('no-space', `The file has ${needed} bytes or more, and the disk of the host has room for ${room}.`, {
    hint: 'Make room on the machine that serves this window, or put THETA_DATA on a larger disk.',
  });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function deleteOlder(folder: string, lifeMs: number, except: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const place = join(folder, name);
    // Only what was made here: folders whose names are 32 hexadecimal digits.
    if (!/^[0-9a-f]{32}$/.test(name) || except.has(place)) continue;
    const info = await stat(place).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > lifeMs) await rm(place, { recursive: true, force: true }).catch(() => undefined);
  }
}
