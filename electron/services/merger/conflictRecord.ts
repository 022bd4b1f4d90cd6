import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { fileError } from '../../bytes/fileError';
import { makeFolders } from '../../bytes/makeFolders';
import { readSmallFile } from '../../bytes/readSmallFile';
import { writeWhole } from '../../bytes/writeWhole';
import type { RepositoryPlace } from '../../git/gitRepository';
import { CONFLICT_KINDS } from '../../theta/mergeMetadata';
import { stateFolder } from '../stateFolder';

const oid = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));

const schema = v.object({
  version: v.literal(1),
  path: v.string(),
  /** Blob ids of the three versions; `null` where one does not have the file. */
  base: v.nullable(oid),
  ours: v.nullable(oid),
  theirs: v.nullable(oid),
  /** Blob id of the metadata as far as it is merged: open groups are as in ours. */
  merged: oid,
  /** Groups that still need a decision. */
  groups: v.array(v.object({ name: v.string(), kind: v.picklist(CONFLICT_KINDS) })),
  /** When it was written, ISO 8601. */
  time: v.string(),
});

/** What is left to decide about one file of a merge. Beside the index, which stays the judge: a record for other blobs is out of date. */
export type ConflictRecord = v.InferOutput<typeof schema>;

/** A merge belongs to one work tree, so its record lies in the git directory of that work tree. */
function recordFile({ gitDir }: Pick<RepositoryPlace, 'gitDir'>, path: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 32);
  return join(stateFolder({ commonDir: gitDir }), 'conflicts', `${name}.json`);
}

/** `null` when there is none, or it cannot be understood: then everything is still to be decided. */
export async function readConflictRecord(place: Pick<RepositoryPlace, 'gitDir'>, path: string): Promise<ConflictRecord | null> {
  try {
    const parsed: unknown = JSON.parse((await readSmallFile(recordFile(place, path))).toString('utf8'));
    const record = v.safeParse(schema, parsed);
    return record.success && record.output.path === path ? record.output : null;
  } catch {
    return null;
  }
}

/** @throws CheckpointError permission, no-space */
export async function writeConflictRecord(place: Pick<RepositoryPlace, 'gitDir'>, record: Omit<ConflictRecord, 'version' | 'time'>): Promise<void> {
  const file = recordFile(place, record.path);
  await makeFolders(dirname(file)).catch((error: unknown) => {
    throw fileError(error, file);
  });
  const content = { version: 1, ...record, time: new Date().toISOString() };
  await writeWhole(file, (write) => write(Buffer.from(`${JSON.stringify(content, null, 2)}\n`)));
}

export async function removeConflictRecord(place: Pick<RepositoryPlace, 'gitDir'>, path: string): Promise<void> {
  await unlink(recordFile(place, path)).catch(() => {});
}
