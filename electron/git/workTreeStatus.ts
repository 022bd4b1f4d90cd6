import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { blobId } from './blobId';
import { type ContentFacts, contentStatus } from './contentStatus';
import type { WorkTreeStatus } from './gitRepository';
import type { IndexEntry, IndexSnapshot } from './index/indexEntry';
import { isRepositoryPath } from './repositoryPath';
import type { FoundEntry } from './treeLookup';

/** What a back end answers for the comparison. */
export interface StatusSource extends ContentFacts {
  readonly workTree: string;
  readonly fileMode: boolean;
  /** `null` when the entries cannot be read (split or sparse index in the isomorphic back end). */
  readonly index: IndexSnapshot | null;
  headEntry(path: string): Promise<FoundEntry | null>;
}

/**
 * State of one path. The order of the questions: does the index have it (conflict, deletion, untracked), does the index
 * equal HEAD, is the file there, does its stat data equal the index, and only then its content. No filter ever runs.
 */
export async function workTreeStatus(source: StatusSource, path: string): Promise<WorkTreeStatus> {
  if (!isRepositoryPath(path) || (sep === '\\' && /[\\:]/.test(path)) || source.index === null) return 'unknown';
  const stages = source.index.entries.get(path) ?? [];
  const head = await source.headEntry(path);
  if (stages.some((entry) => entry.stage !== 0)) return 'conflict';
  const [entry] = stages;
  if (entry === undefined) return head === null || head.kind === 'tree' ? 'unknown' : 'deleted';
  if (head === null || head.oid !== entry.oid || Number.parseInt(head.mode, 8) !== entry.mode) return 'modified';
  if (entry.skipWorkTree) return 'unmodified';
  const kind = entry.mode & 0o170000;
  if (kind === 0o160000) return 'unknown';
  const found = await lstatInside(source.workTree, path);
  if (found === null || found.isDirectory()) return 'deleted';
  if (kind === 0o120000) return linkStatus(source, path, { entry, found });
  if (!found.isFile()) return 'modified';
  if (source.fileMode && (entry.mode & 0o100) !== (found.mode & 0o100)) return 'modified';
  if (statDataAgrees(entry, found, source.index)) return 'unmodified';
  return contentStatus(source, { entry, size: found.size, path });
}

/** A link's content is its target; where links cannot be made, git writes the target into a file. */
async function linkStatus(source: StatusSource, path: string, link: { readonly entry: IndexEntry; readonly found: Stats }): Promise<WorkTreeStatus> {
  const { entry, found } = link;
  if (found.isFile()) return contentStatus(source, { entry, size: found.size, path });
  if (!found.isSymbolicLink()) return 'modified';
  const target = await readlink(join(source.workTree, path), { encoding: 'buffer' }).catch(() => null);
  if (target === null) return 'unknown';
  return blobId(target, entry.oid.length) === entry.oid ? 'unmodified' : 'modified';
}

/**
 * Size and modification time, as with git's core.trustctime=false, because unpacking and copying give a new ctime.
 * A file changed in the moment the index was written is not trusted ("racy git").
 */
export function statDataAgrees(entry: IndexEntry, found: Pick<Stats, 'mtimeMs' | 'size'>, index: Omit<IndexSnapshot, 'entries'>): boolean {
  if (entry.size !== found.size % 2 ** 32) return false;
  const seconds = Math.floor(found.mtimeMs / 1000);
  if (entry.mtimeSeconds !== seconds % 2 ** 32) return false;
  // Node gives milliseconds with a fraction, exact to about a microsecond.
  const nanoseconds = (found.mtimeMs - seconds * 1000) * 1e6;
  if (entry.mtimeNanoseconds !== 0 && Math.abs(entry.mtimeNanoseconds - nanoseconds) > 2000) return false;
  if (entry.mtimeSeconds !== index.writtenSeconds) return entry.mtimeSeconds < index.writtenSeconds;
  return entry.mtimeNanoseconds !== 0 && index.writtenNanoseconds !== 0 && entry.mtimeNanoseconds < index.writtenNanoseconds - 2000;
}

/** A file's own stat; `null` when it is not there, also when a folder on the way is a link to somewhere else. */
async function lstatInside(workTree: string, path: string): Promise<Stats | null> {
  const parts = path.split('/');
  let place = workTree;
  for (const [i, part] of parts.entries()) {
    place = join(place, part);
    const found = await lstat(place).catch(() => null);
    if (found === null) return null;
    if (i === parts.length - 1) return found;
    if (!found.isDirectory()) return null;
  }
  return null;
}
