import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import { Errors, expandOid, readObject } from 'isomorphic-git';
import { CheckpointError } from '../../../shared/contract/errors';
import { missingObject } from '../objectErrors';

export interface ReadObject {
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly bytes: Uint8Array;
}

/** Objects through isomorphic-git, the one place that imports it. Its cache holds whole packs: it is dropped on close. */
export class IsomorphicObjects {
  readonly #gitDir: string;
  #cache: object = {};

  constructor(commonDir: string) {
    this.#gitDir = commonDir;
  }

  /** @throws missing-object, corrupt-object */
  async read(oid: string): Promise<ReadObject> {
    try {
      const found = await readObject({ fs, dir: this.#gitDir, gitdir: this.#gitDir, oid, format: 'content', cache: this.#cache });
      if (found.format === 'content' && found.object instanceof Uint8Array && isObjectType(found.type)) return { type: found.type, bytes: found.object };
    } catch (error) {
      if (error instanceof Errors.NotFoundError) throw missingObject(oid);
      throw damaged(oid, error);
    }
    throw damaged(oid, undefined);
  }

  /** Objects whose id starts with four or more digits. */
  async expand(prefix: string): Promise<readonly string[]> {
    try {
      return [await expandOid({ fs, dir: this.#gitDir, gitdir: this.#gitDir, oid: prefix, cache: this.#cache })];
    } catch (error) {
      if (error instanceof Errors.AmbiguousError) return error.data.matches;
      if (error instanceof Errors.NotFoundError) return [];
      throw damaged(prefix, error);
    }
  }

  /** Type and size of a loose object from its first bytes; `null` when it is packed or not here. */
  async looseHeader(oid: string): Promise<{ readonly type: string; readonly size: number } | null> {
    const handle = await open(join(this.#gitDir, 'objects', oid.slice(0, 2), oid.slice(2)), 'r').catch(() => null);
    if (handle === null) return null;
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
      // A partial flush inflates what is there of the stream.
      const text = inflateSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
      const match = /^([a-z]+) (\d{1,15})\0/.exec(text);
      return match === null ? null : { type: match[1] ?? '', size: Number(match[2]) };
    } catch {
      return null;
    } finally {
      await handle.close();
    }
  }

  close(): void {
    this.#cache = {};
  }
}

function isObjectType(type: string | undefined): type is ReadObject['type'] {
  return type === 'blob' || type === 'tree' || type === 'commit' || type === 'tag';
}

function damaged(oid: string, cause: unknown): CheckpointError {
  return new CheckpointError('corrupt-object', `The object ${oid} cannot be read.`, {
    place: { oid },
    hint: 'Run "git fsck" in the repository; another clone may have the object in good order.',
    ...(cause === undefined ? {} : { cause, detail: cause instanceof Error ? cause.message : String(cause) }),
  });
}
