import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import type { RepositoryPlace } from '../../git/gitRepository';
import { stateFolder } from '../stateFolder';
import { Arrival } from './arrival';

/** Small pieces are put together: git sends 64 KiB at a time. */
const STAGE_BYTES = 4 * 1024 * 1024;

export interface SpooledFile {
  readonly path: string;
  readonly bytes: number;
  /** The first bytes, at most 4 KiB. */
  readonly head: Uint8Array;
  remove(): Promise<void>;
}

/** A file while it comes in. */
export interface IncomingFile {
  readonly path: string;
  /** The first bytes that came, at most 4 KiB; none of an empty file. @throws as `whole` */
  readonly head: Promise<Uint8Array>;
  /** Bytes from the front that can be read from the file now. */
  readonly arrived: number;
  /** Resolves when so many bytes can be read. @throws CheckpointError truncated when the file ends before; as `whole` */
  until(bytes: number): Promise<void>;
  /** Settles when everything has come, or cannot. The file is gone when it fails. @throws CheckpointError no-space, permission; what `content` throws */
  readonly whole: Promise<SpooledFile>;
}

/**
 * Writes what comes through a pipe into a file of the repository's state folder: checkpoints are read by ranges, and zip archives from their end.
 * @throws CheckpointError no-space, permission
 */
export async function spool(place: Pick<RepositoryPlace, 'commonDir'>, content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  return (await receive(place, content)).whole;
}

/** As `spool`, for who can begin with the front of the file. @throws CheckpointError permission, when there is no place for it */
export async function receive(place: Pick<RepositoryPlace, 'commonDir'>, content: AsyncIterable<Uint8Array>): Promise<IncomingFile> {
  const path = join(await spoolFolder(place), `${randomUUID()}.partial`);
  const arrival = new Arrival(path);
  const whole = receiveInto(path, content, arrival);
  whole.then(
    ({ bytes }) => arrival.end(bytes),
    (error: unknown) => arrival.fail(error),
  );
  return {
    path,
    head: arrival.head,
    get arrived() {
      return arrival.bytes;
    },
    until: (bytes) => arrival.until(bytes),
    whole,
  };
}

async function receiveInto(path: string, content: AsyncIterable<Uint8Array>, arrival: Arrival): Promise<SpooledFile> {
  const remove = () => unlink(path).catch(() => {});
  try {
    const handle = await open(path, 'wx', 0o600);
    const stages = new Stages(handle, path, arrival);
    let bytes = 0;
    let head: Uint8Array = new Uint8Array(0);
    try {
      for await (const piece of content) {
        if (head.byteLength === 0) {
          head = Uint8Array.from(piece.subarray(0, 4096));
          arrival.begin(head);
        }
        bytes += piece.byteLength;
        await stages.add(piece);
      }
      await stages.finish();
    } finally {
      await stages.settled();
      await handle.close();
    }
    return { path, bytes, head, remove };
  } catch (error) {
    await remove();
    throw fileError(error, path);
  }
}

/** Two buffers in turns: one is filled while the other one is written. */
class Stages {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #arrival: Arrival;
  #filling: Buffer = Buffer.allocUnsafe(STAGE_BYTES);
  #other: Buffer | null = null;
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, path: string, arrival: Arrival) {
    this.#handle = handle;
    this.#path = path;
    this.#arrival = arrival;
  }

  async add(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.byteLength; ) {
      const size = Math.min(piece.byteLength - at, STAGE_BYTES - this.#filled);
      this.#filling.set(piece.subarray(at, at + size), this.#filled);
      this.#filled += size;
      at += size;
      if (this.#filled === STAGE_BYTES) await this.#turn();
    }
  }

  async finish(): Promise<void> {
    await this.#turn();
    await this.#writing;
  }

  /** Nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  async #turn(): Promise<void> {
    await this.#writing;
    const full = this.#filling.subarray(0, this.#filled);
    this.#writing = this.#write(full);
    // A failure that comes before it is awaited must not count as unhandled.
    this.#writing.catch(() => {});
    [this.#filling, this.#other] = [this.#other ?? Buffer.allocUnsafe(STAGE_BYTES), this.#filling];
    this.#filled = 0;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.byteLength - done, null);
      if (bytesWritten === 0) throw new CheckpointError('no-space', `Nothing more could be written to ${this.#path}.`, { place: { file: this.#path } });
      done += bytesWritten;
    }
    this.#arrival.add(bytes.byteLength);
  }
}

/**
 * The folder for files that live as long as one call, made if need be. Where the repository may only be read, it is the system's own: checking
 * out and comparing need files too.
 */
export async function spoolFolder(place: Pick<RepositoryPlace, 'commonDir'>): Promise<string> {
  const folder = join(stateFolder(place), 'spool');
  try {
    await makeFolders(folder);
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const failure = fileError(error, folder);
    if (failure.code === 'permission') return tmpdir();
    throw failure;
  }
}
