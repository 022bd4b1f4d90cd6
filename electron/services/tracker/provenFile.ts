import { createHash, randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readSmallFile } from '../../bytes/readSmallFile';
import { blobId } from '../../git/blobId';
import type { RepositoryPlace } from '../../git/gitRepository';
import { parseIndex } from '../../git/index/parseIndex';
import { statDataAgrees } from '../../git/workTreeStatus';
import { stateFolder } from '../stateFolder';
import { spoolFolder } from './spool';

/** What stays of a file as long as nobody writes to it. */
export type FileIdentity = Pick<BigIntStats, 'ctimeNs' | 'dev' | 'ino' | 'mtimeNs' | 'size'>;

const SECOND = 1_000_000_000n;
/** Systems date changes in steps of some milliseconds, and file systems that keep whole seconds in steps of up to two. */
const STEP = { fine: 30_000_000n, coarse: 2n * SECOND } as const;

const record = v.object({ file: v.string(), blobs: v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]+$/))) });

type Place = Pick<RepositoryPlace, 'commonDir'>;

/** Whether a time of a file says that what it dates was over at a moment, in milliseconds since 1970. */
export function isBefore(timeNs: bigint, moment: number): boolean {
  return timeNs + (timeNs % SECOND === 0n ? STEP.coarse : STEP.fine) < BigInt(Math.floor(moment)) * 1_000_000n;
}

/**
 * Remembers of a file in the work tree that it holds a version, bit for bit: it was read, and the version was made of it. git's index does not say
 * that: it knows no more than that some filter made the same metadata of the file. Never fails: without a record the file is read once more.
 * @param metadata of the version, as git stores it
 */
export async function rememberProven(
  place: Place,
  path: string,
  { file, metadata }: { readonly file: FileIdentity; readonly metadata: string },
): Promise<void> {
  const folder = provenFolder(place);
  const content = Buffer.from(metadata);
  const known: v.InferOutput<typeof record> = { file: identityText(file), blobs: [blobId(content, 40), blobId(content, 64)] };
  let temporary: string | null = null;
  try {
    await mkdir(folder, { recursive: true });
    // Where what a killed program leaves is removed some day.
    temporary = join(await spoolFolder(place), `${randomUUID()}.partial`);
    await writeFile(temporary, JSON.stringify(known));
    await rename(temporary, recordFile(place, path));
  } catch {
    if (temporary !== null) await unlink(temporary).catch(() => {});
  }
}

/**
 * Blob ids of the metadata of the version that a file is known to hold; none when it was written since, or was never looked at. Both must say so:
 * the record, and git's index, which knows that it was the file of the work tree that went through the filter.
 */
export async function provenBlobs(
  { commonDir, gitDir }: Pick<RepositoryPlace, 'commonDir' | 'gitDir'>,
  path: string,
  file: BigIntStats,
): Promise<readonly string[]> {
  const text = await readFile(recordFile({ commonDir }, path), 'utf8').catch(() => '');
  const known = v.safeParse(v.pipe(v.string(), v.parseJson(), record), text);
  if (!known.success || known.output.file !== identityText(file)) return [];
  const staged = await stagedBlob(gitDir, path, file);
  return staged !== null && known.output.blobs.includes(staged) ? known.output.blobs : [];
}

/** Blob of a path in the index, when the index says that the file has not been written since; a split or sparse index does not tell. */
async function stagedBlob(gitDir: string, path: string, file: BigIntStats): Promise<string | null> {
  const index = join(gitDir, 'index');
  try {
    const { mtimeNs } = await stat(index, { bigint: true });
    const [entry, other] = parseIndex(await readSmallFile(index), new Set([path]), index) ?? [];
    const written = { writtenSeconds: Number(mtimeNs / SECOND), writtenNanoseconds: Number(mtimeNs % SECOND) };
    const found = { size: Number(file.size), mtimeMs: Number(file.mtimeNs) / 1e6 };
    return entry !== undefined && other === undefined && entry.stage === 0 && statDataAgrees(entry, found, written) ? entry.oid : null;
  } catch {
    return null;
  }
}

/** A record for each path. */
export function provenFolder(place: Place): string {
  return join(stateFolder(place), 'proven');
}

function recordFile(place: Place, path: string): string {
  return join(provenFolder(place), createHash('sha256').update(path).digest('hex'));
}

function identityText({ size, mtimeNs, ctimeNs, ino, dev }: FileIdentity): string {
  return [size, mtimeNs, ctimeNs, ino, dev].join(' ');
}
