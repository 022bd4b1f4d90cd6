import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';

/** Small parts are put together up to this many bytes; an object that stays below exists in memory until it is finished. */
const STAGE_BYTES = 256 * 1024;

/** A temporary file that is made when there is something to put into it, and whose content is on the disk once it is finished. */
export class StagedFile {
  readonly #folder: string;
  readonly #path: string;
  #stage = Buffer.allocUnsafe(0);
  #staged = 0;
  #handle: FileHandle | null = null;
  #made = false;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#path = join(folder, name);
  }

  /** @returns a promise when the part is being written: it may be changed once that has resolved */
  write(part: Uint8Array): Promise<void> | undefined {
    if (this.#staged + part.byteLength > STAGE_BYTES) {
      const written = this.#spill(part);
      // A failure that comes before it is awaited must not count as unhandled.
      written.catch(() => {});
      return written;
    }
    if (this.#staged + part.byteLength > this.#stage.byteLength) {
      const larger = Buffer.allocUnsafe(Math.min(STAGE_BYTES, Math.max(4096, 2 * (this.#staged + part.byteLength))));
      this.#stage.copy(larger, 0, 0, this.#staged);
      this.#stage = larger;
    }
    this.#stage.set(part, this.#staged);
    this.#staged += part.byteLength;
    return undefined;
  }

  /**
   * @returns the path of the file, all of whose content is on the disk, and its time of last change in nanoseconds
   * @throws CheckpointError no-space, permission
   */
  async finish(): Promise<{ readonly path: string; readonly changed: bigint }> {
    try {
      const handle = await this.#open();
      await this.#append(handle, this.#stage.subarray(0, this.#staged));
      this.#staged = 0;
      await handle.sync();
      const { mtimeNs } = await handle.stat({ bigint: true });
      this.#handle = null;
      await handle.close();
      return { path: this.#path, changed: mtimeNs };
    } catch (error) {
      throw fileError(error, this.#path);
    }
  }

  /** Removes the file, if there is one; may be called at any time. */
  async discard(): Promise<void> {
    await this.#handle?.close().catch(() => {});
    this.#handle = null;
    if (this.#made) await unlink(this.#path).catch(() => {});
  }

  async #spill(part: Uint8Array): Promise<void> {
    try {
      const handle = await this.#open();
      await this.#append(handle, this.#stage.subarray(0, this.#staged));
      this.#staged = 0;
      await this.#append(handle, part);
    } catch (error) {
      throw fileError(error, this.#path);
    }
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle === null) {
      await makeFolders(this.#folder);
      this.#handle = await open(this.#path, 'wx');
      this.#made = true;
    }
    return this.#handle;
  }

  /** One call may write less than it was given. */
  async #append(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done);
      if (bytesWritten === 0) throw new CheckpointError('no-space', `Nothing more could be written to ${this.#path}.`);
      done += bytesWritten;
    }
  }
}
