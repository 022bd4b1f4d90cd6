import { type FileHandle, mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../../bytes/systemCode';
import { findRecords, isWhole } from './resultRecord';

/** A longer file is none of ours: writers begin a new one long before. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** What others append is looked for this often at most: thousands of keys may be missing in a row. */
const LOOK_AGAIN_MS = 50;

interface Place {
  readonly offset: number;
  readonly length: number;
}

/**
 * Records appended to a file by any number of processes, each record in one write. What others append is found when a key is missing.
 * A file that was deleted, replaced or damaged has no records, or fewer.
 */
export class ResultFile {
  readonly #path: string;
  readonly #places = new Map<string, Place>();
  /** Which file `#places` is about; another one under the name is read anew. */
  #identity = '';
  #scanned = 0;
  #scanning: Promise<void> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
  }

  /** The whole record of a key (hexadecimal); `null` when there is none, or it is no longer what it was. */
  async read(key: string): Promise<Buffer | null> {
    try {
      if (!this.#places.has(key) && (this.#scanning !== null || performance.now() - this.#lookedAt >= LOOK_AGAIN_MS)) await this.#scan();
      const place = this.#places.get(key);
      if (place === undefined) return null;
      const record = await withFile(this.#path, (handle) => readRange(handle, place.offset, place.length));
      if (isWhole(record) && record.toString('hex', 4, 20) === key) return record;
      // Not the file that was indexed, or damaged since.
      this.#identity = '';
      await this.#scan();
      const again = this.#places.get(key);
      if (again === undefined) return null;
      const second = await withFile(this.#path, (handle) => readRange(handle, again.offset, again.length));
      return isWhole(second) && second.toString('hex', 4, 20) === key ? second : null;
    } catch {
      return null;
    }
  }

  /** Indexes what was added since the last look. Calls at the same time share one look. */
  #scan(): Promise<void> {
    this.#scanning ??= this.#scanNow().finally(() => {
      this.#scanning = null;
      this.#lookedAt = performance.now();
    });
    return this.#scanning;
  }

  async #scanNow(): Promise<void> {
    try {
      await withFile(this.#path, async (handle) => {
        const info = await handle.stat();
        const identity = `${info.dev}:${info.ino}`;
        if (identity !== this.#identity || info.size < this.#scanned) {
          this.#places.clear();
          this.#scanned = 0;
          this.#identity = identity;
        }
        const size = Math.min(info.size, MAX_FILE_BYTES);
        if (size <= this.#scanned) return;
        const { records, end } = findRecords(await readRange(handle, this.#scanned, size - this.#scanned));
        for (const { key, offset, length } of records) this.#places.set(key, { offset: this.#scanned + offset, length });
        this.#scanned += end;
      });
    } catch {
      this.#places.clear();
      this.#identity = '';
      this.#scanned = 0;
    }
  }
}

export interface Generations {
  readonly newer: string;
  readonly older: string;
  /** Bytes from which on the newer file takes the place of the older one, so that two of them are all there is. */
  readonly limit: number;
}

/** Appends whole records to the newer generation. @throws what the system says */
export async function appendRecords({ newer, older, limit }: Generations, records: readonly Buffer[]): Promise<void> {
  await makeFolder(dirname(newer));
  const size = await stat(newer).then(
    (info) => info.size,
    () => 0,
  );
  if (size >= limit) await rename(newer, older);
  // One write in append mode: records of two processes do not fall into each other; where a file system breaks that, their checksums tell.
  await writeFile(newer, Buffer.concat(records), { flag: 'a', mode: 0o600 });
}

/** The folder and the one above it, no more: a repository that was deleted meanwhile does not come back as an empty folder. */
async function makeFolder(folder: string): Promise<void> {
  for (const path of [dirname(folder), folder]) {
    await mkdir(path).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function readRange(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
