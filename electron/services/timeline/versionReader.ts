import { BoundedMap } from '../../../shared/base/boundedMap';
import { CheckpointError } from '../../../shared/contract/errors';
import type { BlobContent } from '../../git/gitRepository';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import { parseLfsPointer } from '../../git/lfs/lfsPointer';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import type { BlobFiles } from '../blobFiles';
import type { OpenedRepository } from '../repositories/openedRepository';
import { storedAs } from '../storedAs';
import { createBlobFeed } from './blobFeed';
import { openFileColumns } from './openFileColumns';
import { parseVersion } from './parseVersion';
import { MemberReader } from './readMembers';
import type { ReadBudget } from './sameTensors';
import type { TimelineStore } from './timelineStore';
import type { Version } from './version';

/** Larger blobs do not come with the stream of all: one that is a plain checkpoint is put into a file, one that is metadata is read by itself. */
const STREAM_LIMIT = 64 * 1024 * 1024;
export const METADATA_LIMIT = 512 * 1024 * 1024;
/** The metadata of an empty checkpoint is `{}`, with white space at most: only the attributes tell what it is. */
const MAX_EMPTY_METADATA = 1024;
/** Versions kept to compare the next ones with, by what they cost; two in any case. */
const KEPT_BYTES = 24 * 1024 * 1024;

export interface VersionReaderOptions {
  readonly repository: Pick<OpenedRepository, 'git' | 'lfs' | 'storedAs'>;
  readonly blobFiles: BlobFiles;
  readonly path: string;
  readonly store: TimelineStore;
  /** Blobs in the order in which they will be asked for. */
  readonly plan: readonly string[];
  readonly budget: ReadBudget;
  readonly signal: AbortSignal;
}

export interface VersionReader {
  /** @param base a version whose text this one mostly shares. @throws CheckpointError why it cannot be read */
  read(blob: string, base: Version | null): Promise<Version>;
  /** A version that was read a moment ago. */
  kept(blob: string): Version | undefined;
  close(): Promise<void>;
}

/** Reads the versions of one path, however each is kept, in bounded memory. */
export function createVersionReader(options: VersionReaderOptions): VersionReader {
  const { repository, blobFiles, path, store, plan, budget, signal } = options;
  const { git } = repository;
  const { storages } = store.tables;
  const feed = createBlobFeed(git, plan, { limit: STREAM_LIMIT, signal });
  const members = new MemberReader(store);
  const kept = new BoundedMap<string, Version>(KEPT_BYTES, { weigh: ({ weight }) => weight, atLeast: 2 });
  let tracked: Promise<boolean> | null = null;
  const isTracked = () => {
    tracked ??= git.attributes([path], ['filter']).then((found) => found.get(path)?.filter === 'theta');
    return tracked;
  };

  const openPlain = (blob: string, source: Parameters<typeof openFileColumns>[1]['source']) =>
    openFileColumns(store, { blob, storage: 'blob', source, content: blob, file: path, signal });

  const open = async (content: BlobContent, base: Version | null): Promise<Version> => {
    const { oid: blob, size, bytes, error } = content;
    if (error !== null) throw error;
    if (bytes === null) return openLarge(blob, size ?? 0, base);
    const pointer = parseLfsPointer(bytes);
    if (pointer !== null) {
      storages.set(blob, 'lfs');
      const file = repository.lfs.pathOf(pointer.oid);
      const missing = await checkLfsObject({ oid: pointer.oid, bytes: pointer.size, path: file });
      if (missing !== null) throw missing;
      return openFileColumns(store, { blob, storage: 'lfs', source: { kind: 'file', path: file }, content: pointer.oid, file: path, signal });
    }
    const isMetadata = looksLikeMetadata(bytes, false) || (bytes.length <= MAX_EMPTY_METADATA && looksLikeMetadata(bytes, true) && (await isTracked()));
    storages.set(blob, isMetadata ? 'theta' : 'blob');
    if (isMetadata) return parseVersion(store, members, { blob, bytes: asBuffer(bytes), file: path }, base);
    return openPlain(blob, { kind: 'memory', bytes });
  };

  const openLarge = async (blob: string, size: number, base: Version | null): Promise<Version> => {
    const { storage } = await storedAs({ repository: git, storedAs: repository.storedAs }, blob);
    storages.set(blob, storage);
    if (storage === 'theta') return parseVersion(store, members, { blob, bytes: asBuffer(await git.blob(blob, METADATA_LIMIT)), file: path }, base);
    if (size > budget.bytes) {
      throw new CheckpointError('too-large', 'The plain checkpoints of this history are too large to be taken out of git at once.', {
        place: { file: path, oid: blob },
        hint: 'Open the timeline again: it goes on where it ended.',
      });
    }
    budget.bytes -= size;
    return openPlain(blob, { kind: 'file', path: await blobFiles.pathOf(git, blob, signal) });
  };

  return {
    async read(blob, base) {
      const version = kept.get(blob) ?? (await open(await feed.get(blob), base));
      kept.set(blob, version);
      return version;
    },
    kept: (blob) => kept.get(blob),
    close: () => feed.close(),
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
