import { CheckpointError } from '../../../shared/contract/errors';
import { ambiguousRevision, missingObject, wrongType } from '../objectErrors';
import { CatFile } from './catFile';
import { type GitCommand, runGit } from './gitProcess';

export interface StoredObject {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

/** Commits and trees above this are not read: the largest tree of a repository with a million files in one folder is below it. */
const STRUCTURE_LIMIT = 256 * 2 ** 20;

/** The two cat-file processes of a repository, started when first needed. */
export class NativeObjects {
  readonly #command: GitCommand;
  readonly #check: CatFile;
  readonly #contents: CatFile;

  constructor(command: GitCommand) {
    this.#command = command;
    this.#check = new CatFile(command, 'check');
    this.#contents = new CatFile(command, 'contents');
  }

  /** Type and size of what a name leads to; `null` when it leads nowhere. @throws invalid-request when a short hash fits several objects */
  async find(spec: string, signal?: AbortSignal): Promise<StoredObject | null> {
    const reply = await this.#check.request(spec, { signal }).catch((error: unknown) => {
      throw CheckpointError.from(error).at({ oid: spec });
    });
    if (reply.kind === 'missing') return null;
    if (reply.kind === 'ambiguous') {
      throw ambiguousRevision(spec);
    }
    return { oid: reply.oid, type: reply.type, size: reply.size };
  }

  /** Contents of a commit or tree. @throws missing-object, corrupt-object, and `invalid-request` for another type */
  async structure(oid: string, type: 'commit' | 'tree', signal?: AbortSignal): Promise<Uint8Array> {
    const reply = await this.small(oid, STRUCTURE_LIMIT, signal);
    if (reply.type !== type) throw wrongType(oid, reply.type, type);
    if (reply.bytes === null) throw new CheckpointError('too-large', `The ${type} ${oid} is larger than any that git makes.`, { place: { oid } });
    return reply.bytes;
  }

  /** An object with its contents, or without (`null`) when it is larger than `limit`. @throws missing-object, corrupt-object */
  async small(oid: string, limit: number, signal?: AbortSignal): Promise<StoredObject & { readonly bytes: Uint8Array | null }> {
    const reply = await this.#contents.request(oid, { limit, signal }).catch((error: unknown) => {
      throw CheckpointError.from(error).at({ oid });
    });
    switch (reply.kind) {
      case 'object':
        return reply;
      case 'large':
        return { ...reply, bytes: null };
      case 'missing':
      case 'ambiguous':
        throw await this.whyMissing(oid);
    }
  }

  /** A damaged object is reported as missing by cat-file's batch modes; asked for alone, git says what is wrong with it. */
  async whyMissing(oid: string): Promise<CheckpointError> {
    const reason = await runGit(this.#command, ['cat-file', '-s', oid], { what: 'read an object' }).catch((error: unknown) => CheckpointError.from(error));
    return reason instanceof CheckpointError && reason.code === 'corrupt-object' ? reason.at({ oid }) : missingObject(oid);
  }

  async close(): Promise<void> {
    await Promise.all([this.#check.close(), this.#contents.close()]);
  }
}
