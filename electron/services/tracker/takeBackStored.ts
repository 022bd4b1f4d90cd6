import { headCommit } from '../../../shared/model/commit';
import { type StoredObject, takeBackObjects } from '../../updates/store/takeBackObjects';
import type { OpenedRepository } from '../repositories/openedRepository';
import { readCandidates } from './candidates';
import type { Undo } from './undo';

/**
 * Has `undo` remove the objects that were stored for some paths, once everything else was taken back: those that were not there before, that nobody
 * else has stored, and that neither the index nor HEAD refers to.
 * @returns what is to be told of each object
 */
export function takeBackStored(repository: OpenedRepository, paths: readonly string[], undo: Undo): (object: StoredObject) => void {
  const stored: StoredObject[] = [];
  undo.addLast(async () => {
    if (stored.length === 0) return;
    const used = new Set<string>();
    const head = headCommit(await repository.git.head());
    for (const path of paths) {
      for (const { metadata } of await readCandidates(repository, path, { head })) for (const { oid } of metadata.entries.values()) used.add(oid);
    }
    const unused = stored.filter(({ oid }) => !used.has(oid));
    await takeBackObjects(repository.lfs.folder, unused);
  });
  return (object) => void stored.push(object);
}
