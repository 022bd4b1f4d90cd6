import type { BaseNote } from '../updates/store/objectNotes';
import { readObjectNotes } from '../updates/store/readObjectNotes';
import type { ResolvedEntry } from './resolvedEntry';

/** What is noted in objects about their bases, by object id; objects never change. */
export type NotedBases = Map<string, Promise<BaseNote | null>>;

export interface NotedBaseSearch {
  readonly here: ResolvedEntry;
  readonly objectPath: (oid: string) => string;
  readonly noted: NotedBases;
  readonly signal: AbortSignal | undefined;
}

/**
 * The base of an incremental entry as its object notes it, whatever has become of the commit: a rebase, squash or amend rewrites commits, not
 * objects. `null` unless every step down to a dense one is noted.
 */
export async function findNotedBase(search: NotedBaseSearch): Promise<ResolvedEntry | null> {
  const { here } = search;
  const first = await noteOf(here.entry, search);
  if (first === null || !(await endsDense(first, search))) return null;
  const { place, entry } = here;
  return {
    // Not a blob of git: only a key under which its links are remembered.
    place: { ...place, blob: `object ${first.oid}` },
    entry: { ...entry, oid: first.oid, bytes: first.size, updateType: first.type, lastCommit: null, signature: null },
  };
}

async function endsDense(first: BaseNote, search: NotedBaseSearch): Promise<boolean> {
  const seen = new Set<string>();
  let note: BaseNote | null = first;
  while (note !== null && note.type !== 'dense' && !seen.has(note.oid)) {
    search.signal?.throwIfAborted();
    seen.add(note.oid);
    note = await noteOf({ oid: note.oid, bytes: note.size }, search);
  }
  return note?.type === 'dense';
}

function noteOf({ oid, bytes }: { readonly oid: string; readonly bytes: number }, { objectPath, noted, signal }: NotedBaseSearch): Promise<BaseNote | null> {
  const known = noted.get(oid);
  if (known !== undefined) return known;
  const reading = readObjectNotes({ oid, bytes, path: objectPath(oid) }, { signal }).then((notes) => notes?.base ?? null);
  noted.set(oid, reading);
  // What is missing now may be fetched.
  reading.then(
    (note) => note ?? noted.delete(oid),
    () => noted.delete(oid),
  );
  return reading;
}
