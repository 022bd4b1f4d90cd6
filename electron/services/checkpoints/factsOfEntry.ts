import type { LfsStore } from '../../git/lfs/lfsStore';
import type { ThetaEntry } from '../../theta/metadata';
import { readObjectNotes } from '../../updates/store/readObjectNotes';

/** Text of the facts in the object of an entry; `null` when there are none, or the object cannot be read. */
export async function factsOfEntry(lfs: LfsStore, { oid, bytes }: ThetaEntry, signal?: AbortSignal): Promise<string | null> {
  const notes = await readObjectNotes({ oid, bytes, path: lfs.pathOf(oid) }, { signal });
  return notes === null || notes.checkpoint === null ? null : JSON.stringify(notes.checkpoint);
}
