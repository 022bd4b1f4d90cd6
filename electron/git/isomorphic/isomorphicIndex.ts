import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { readSmallFile } from '../../bytes/readSmallFile';
import type { RepositoryPlace } from '../gitRepository';
import type { IndexEntry, IndexSnapshot } from '../index/indexEntry';
import { parseIndex } from '../index/parseIndex';

/** The largest that is read: about five million files. */
const LARGEST_INDEX = 512 * 2 ** 20;

/** Index entries of some paths; `null` when they are not all in the index file (split or sparse index). @throws malformed, too-large */
export async function readIsomorphicIndex(place: RepositoryPlace, paths: readonly string[]): Promise<IndexSnapshot | null> {
  const file = join(place.gitDir, 'index');
  const written = await stat(file, { bigint: true }).catch(() => null);
  if (written === null) return { entries: new Map(), writtenSeconds: 0, writtenNanoseconds: 0 };
  if (written.size > LARGEST_INDEX) throw new CheckpointError('too-large', 'The index of the repository is larger than 512 MiB.', { place: { file } });
  const found = parseIndex(await readSmallFile(file), new Set(paths), file);
  if (found === null) return null;
  const entries = new Map<string, IndexEntry[]>();
  for (const entry of found) entries.set(entry.path, [...(entries.get(entry.path) ?? []), entry]);
  return {
    entries,
    writtenSeconds: Number(written.mtimeNs / 1_000_000_000n),
    writtenNanoseconds: Number(written.mtimeNs % 1_000_000_000n),
  };
}
