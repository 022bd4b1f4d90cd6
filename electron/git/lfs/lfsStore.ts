import { existsSync } from 'node:fs';
import type { GitRepository } from '../gitRepository';
import { lfsObjectPath, lfsObjectsFolder, lfsReferenceFolders } from './lfsFolders';

/** The Git LFS objects of a repository on this machine. */
export class LfsStore {
  /** Where new objects belong. */
  readonly folder: string;
  readonly #references: readonly string[];

  constructor(folder: string, references: readonly string[]) {
    this.folder = folder;
    this.#references = references;
  }

  /** Where an object is, or would be if it were here. @throws invalid-request unless the oid is 64 lowercase hexadecimal digits */
  pathOf(oid: string): string {
    const own = lfsObjectPath(this.folder, oid);
    if (this.#references.length === 0 || existsSync(own)) return own;
    return this.#references.map((folder) => lfsObjectPath(folder, oid)).find((path) => existsSync(path)) ?? own;
  }
}

export async function openLfsStore(repository: Pick<GitRepository, 'place' | 'config'>): Promise<LfsStore> {
  const storage = await repository.config('lfs.storage');
  return new LfsStore(lfsObjectsFolder(repository.place, storage), await lfsReferenceFolders(repository.place));
}
