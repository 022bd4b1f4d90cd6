import { createReadStream } from 'node:fs';
import { headCommit, isCommitHash, NO_COMMIT } from '../../../shared/model/commit';
import { readSmallFile } from '../../bytes/readSmallFile';
import { blobId } from '../../git/blobId';
import type { FilterHandler, FilterRequest, FilterResult, SmudgeRequest } from '../../git/filter/filterHandler';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import { parseMetadata } from '../../theta/parseMetadata';
import type { WorkerPool } from '../../workers/workerPool';
import type { ThetaVersion } from '../checkpoints/openTheta';
import type { OpenedRepository } from '../repositories/openedRepository';
import { readPrevious } from './candidates';
import { cleanCheckpoint } from './cleanCheckpoint';
import { cleanIncoming } from './cleanIncoming';
import { keptPointer, objectOfPointer, pointerAt } from './lfsPointers';
import { smudgeCheckpoint } from './smudgeCheckpoint';
import { receive, type SpooledFile, spool } from './spool';

/** Metadata files of 40,000 groups have some 40 MB. */
const MAX_METADATA_BYTES = 512 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

export interface FilterContext {
  readonly repository: () => Promise<OpenedRepository>;
  readonly pool: () => WorkerPool;
  /** Gets objects that are missing from the remote, where the user has not forbidden it. */
  readonly fetchMissing: (version: ThetaVersion, signal: AbortSignal) => Promise<void>;
}

type Filter = Required<Pick<FilterHandler, 'clean'>> & { smudge(request: Omit<SmudgeRequest, 'canDelay'>): Promise<FilterResult> };

/**
 * git's clean and smudge of checkpoints. What is no checkpoint in the sense of the other side goes through as it is: metadata that is cleaned
 * (git does so while it merges), and a plain blob or LFS pointer that was committed before the path was tracked.
 */
export function createFilter(context: FilterContext): Filter {
  return {
    async clean({ pathname, content, signal }) {
      const repository = await context.repository();
      // Workers start, and git is asked, while the file comes in.
      context.pool().warmUp();
      const previous = readPrevious(repository, pathname, signal);
      previous.catch(() => {});
      const pointer = previous.then(({ head }) => pointerAt(repository, head, pathname));
      pointer.catch(() => {});
      const request = { repository, pool: context.pool(), path: pathname, previous, choice: 'auto' as const, updateData: null, dry: false, signal };
      const incoming = await receive(repository.git.place, content);
      const { file, cleaned } = await cleanIncoming(request, incoming, async () => (await pointer) === null);
      if (file.bytes === 0 || cleaned?.asItIs === true) return passOn(file);
      let passed = false;
      try {
        if (cleaned !== null) return whole(Buffer.from(cleaned.metadata));
        if (looksLikeMetadata(file.head, false)) return whole(await soundMetadata(file.path, pathname));
        const kept = await keptPointer({ file, text: await pointer, pool: context.pool(), signal });
        if (kept !== null) return whole(kept);
        const later = await cleanCheckpoint({ ...request, file: file.path });
        passed = later.asItIs === true;
        return passed ? passOn(file) : whole(Buffer.from(later.metadata));
      } finally {
        if (!passed) await file.remove();
      }
    },
    async smudge(request) {
      const repository = await context.repository();
      const file = await spool(repository.git.place, request.content);
      const object = await objectOfPointer(repository, file.head, file.bytes);
      if (object !== null) {
        await file.remove();
        return { size: object.bytes, content: createReadStream(object.path, { highWaterMark: READ_BYTES }) };
      }
      if (!(await isMetadata(repository, file, request.pathname))) return passOn(file);
      try {
        return await smudgeMetadata(context, repository, { request, file });
      } finally {
        await file.remove();
      }
    },
  };
}

/** Metadata in the work tree as it is. @throws CheckpointError conflict for what a text merge left in it, malformed */
async function soundMetadata(file: string, pathname: string): Promise<Uint8Array> {
  const bytes = await readSmallFile(file, MAX_METADATA_BYTES);
  parseMetadata(bytes, pathname);
  return bytes;
}

/** The metadata of an empty checkpoint is `{}`, which only the attributes tell from something else. */
async function isMetadata({ git }: OpenedRepository, file: SpooledFile, path: string): Promise<boolean> {
  if (looksLikeMetadata(file.head, false)) return true;
  if (file.bytes > 64 || !/^\s*\{\s*\}\s*$/.test(Buffer.from(file.head).toString('latin1'))) return false;
  return (await git.attributes([path], ['filter'])).get(path)?.filter === 'theta';
}

async function smudgeMetadata(
  { pool, fetchMissing }: FilterContext,
  repository: OpenedRepository,
  { request, file }: { readonly request: Omit<FilterRequest & SmudgeRequest, 'canDelay'>; readonly file: SpooledFile },
): Promise<FilterResult> {
  const { pathname: path, treeish, signal } = request;
  // They start while git is asked for the history of the groups.
  pool().warmUp();
  // Needed where a base is searched in the history, and for messages. While git checks out, HEAD may be another commit, or none.
  const findCommit = async () => (treeish !== null && isCommitHash(treeish) ? treeish : (headCommit(await repository.git.head()) ?? NO_COMMIT));
  const [commit, bytes] = await Promise.all([findCommit(), readSmallFile(file.path, MAX_METADATA_BYTES)]);
  // The blob is only a key here: an older git does not say which one it is.
  const version = { path, metadata: parseMetadata(bytes, path), blob: request.blob ?? blobId(bytes, 40), commit };
  await fetchMissing(version, signal);
  const made = await smudgeCheckpoint({ repository, pool: pool(), ...version, signal });
  return { size: made.bytes, content: made.content, dispose: () => made.dispose() };
}

function passOn(file: SpooledFile): FilterResult {
  return { size: file.bytes, content: createReadStream(file.path, { highWaterMark: READ_BYTES }), dispose: file.remove };
}

function whole(bytes: Uint8Array): FilterResult {
  return {
    size: bytes.byteLength,
    content: (async function* () {
      yield bytes;
    })(),
  };
}
