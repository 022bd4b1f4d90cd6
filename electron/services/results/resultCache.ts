import { join } from 'node:path';
import * as v from 'valibot';
import { BoundedMap } from '../../../shared/base/boundedMap';
import type { OpenedRepository } from '../repositories/openedRepository';
import { stateFolder } from '../stateFolder';
import { appendRecords, ResultFile } from './resultFile';
import { decodeRecord, encodeRecord, frameBytes, recordKey } from './resultRecord';

/** Results kept in memory, by the bytes of their records. */
const MAX_MEMORY_BYTES = 32 * 1024 * 1024;
const GENERATION_BYTES = 64 * 1024 * 1024;

/**
 * Results of costly work on values that never change, by what the values are. `kind` names the work and the version of its definition
 * (`pair 1`): a changed definition takes another kind. `ids` are content ids and whatever else decides the result; with a `null` among them
 * (a value outside git) nothing is found and nothing kept.
 */
export interface ResultCache {
  /** `null` when it is not known. What does not fit `schema` is not known either. */
  get<T>(kind: string, ids: readonly (string | null)[], schema: v.GenericSchema<unknown, T>): Promise<T | null>;
  /** Remembers a result. Settles when it is on the disk; never fails: a cache that cannot be written costs time only. */
  set(kind: string, ids: readonly (string | null)[], value: unknown): Promise<void>;
}

const opened = new WeakMap<object, ResultCache>();

/** The cache of a repository, beside its git directory: shared by its work trees and by all processes, bounded (128 MiB), safe to delete. */
export function openResultCache(repository: Pick<OpenedRepository, 'git'>): ResultCache {
  const known = opened.get(repository.git);
  if (known !== undefined) return known;
  const cache = createResultCache(join(stateFolder(repository.git.place), 'results'));
  opened.set(repository.git, cache);
  return cache;
}

/**
 * Two generations of records in `folder`, the newer one appended to. What is found in the older one is written to the newer again, so what is
 * asked for stays and the rest goes.
 */
export function createResultCache(folder: string, { generationBytes = GENERATION_BYTES } = {}): ResultCache {
  return resultCache(folder, generationBytes);
}

/** Results of values that are nowhere in git, for as long as the program runs. */
export function createMemoryResults(): ResultCache {
  return resultCache(null, 0);
}

function resultCache(folder: string | null, generationBytes: number): ResultCache {
  const disk = folder === null ? null : resultFolder(folder, generationBytes);
  const memory = new BoundedMap<string, { readonly value: unknown; readonly bytes: number }>(MAX_MEMORY_BYTES, { weigh: ({ bytes }) => bytes });

  const load = async (key: string): Promise<unknown> => {
    const record = (await disk?.read(key)) ?? null;
    if (record === null) return undefined;
    const value = decodeRecord(record);
    memory.set(key, { value, bytes: record.length });
    return value;
  };

  return {
    async get(kind, ids, schema) {
      if (!isComplete(ids)) return null;
      const key = recordKey(kind, ids).toString('hex');
      try {
        const kept = memory.get(key);
        const found = v.safeParse(schema, kept === undefined ? await load(key) : kept.value);
        return found.success ? found.output : null;
      } catch {
        return null;
      }
    },
    async set(kind, ids, value) {
      if (!isComplete(ids)) return;
      const key = recordKey(kind, ids);
      const record = disk === null ? null : encodeRecord(key, value);
      if (disk !== null && record === null) return;
      memory.set(key.toString('hex'), { value, bytes: record?.length ?? frameBytes(value) });
      if (record !== null) await disk?.append(record);
    },
  };
}

interface ResultFolder {
  /** Record of a key (hexadecimal), found in either generation. */
  read(key: string): Promise<Buffer | null>;
  append(record: Buffer): Promise<void>;
}

function resultFolder(folder: string, generationBytes: number): ResultFolder {
  const generations = { newer: join(folder, 'newer'), older: join(folder, 'older'), limit: generationBytes };
  const files = { newer: new ResultFile(generations.newer), older: new ResultFile(generations.older) };
  let waiting: Buffer[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** Everything that was asked for while the disk was busy goes with the next write. */
  const append = (record: Buffer): Promise<void> => {
    waiting.push(record);
    writing = writing.then(async () => {
      const records = waiting;
      waiting = [];
      if (records.length > 0) await appendRecords(generations, records).catch(() => {});
    });
    return writing;
  };

  return {
    append,
    async read(key) {
      const newer = await files.newer.read(key);
      const record = newer ?? (await files.older.read(key));
      if (newer === null && record !== null) void append(record);
      return record;
    },
  };
}

function isComplete(ids: readonly (string | null)[]): ids is readonly string[] {
  return !ids.includes(null);
}
