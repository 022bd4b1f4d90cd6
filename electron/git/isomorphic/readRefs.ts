import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';
import { readSmallFile } from '../../bytes/readSmallFile';
import { systemCode } from '../../bytes/systemCode';
import type { RepositoryPlace } from '../gitRepository';

/** A ref's own content: an object id, or the name of another ref. */
export type RefContent = { readonly kind: 'oid'; readonly oid: CommitHash } | { readonly kind: 'symbolic'; readonly target: string };

/** As in git (refs.c, SYMREF_MAXDEPTH). */
const LONGEST_CHAIN = 5;

/** The refs of a repository with loose and packed refs (gitrepository-layout(5)). */
export class RefFiles {
  readonly #place: RepositoryPlace;

  constructor(place: RepositoryPlace) {
    this.#place = place;
  }

  /** Full names of all refs below a folder such as `refs/heads`, loose ones winning over packed ones. */
  async list(folder: string): Promise<ReadonlyMap<string, RefContent>> {
    const refs = new Map<string, RefContent>();
    for (const [name, oid] of await this.packed()) if (name.startsWith(`${folder}/`)) refs.set(name, { kind: 'oid', oid });
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const entries = await readdir(join(this.#place.commonDir, next), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const name = `${next}/${entry.name}`;
        if (entry.isDirectory()) folders.push(name);
        else if (isRefName(name)) {
          const content = await readLoose(join(this.#place.commonDir, name));
          if (content !== null) refs.set(name, content);
        }
      }
    }
    return refs;
  }

  /** What a full ref name (or HEAD) holds itself; `null` when there is no such ref. */
  async read(name: string): Promise<RefContent | null> {
    if (!isRefName(name)) return null;
    // HEAD and other names outside refs/ belong to the work tree, branches and tags to all of them.
    const loose = await readLoose(join(name.startsWith('refs/') ? this.#place.commonDir : this.#place.gitDir, name));
    if (loose !== null) return loose;
    const oid = (await this.packed()).get(name);
    return oid === undefined ? null : { kind: 'oid', oid };
  }

  /** Object at the end of a chain of symbolic refs; `null` when the chain ends nowhere. */
  async resolve(content: RefContent | null): Promise<CommitHash | null> {
    let current = content;
    for (let i = 0; i <= LONGEST_CHAIN && current !== null; i++) {
      if (current.kind === 'oid') return current.oid;
      current = await this.read(current.target);
    }
    return null;
  }

  /** `packed-refs`: `oid SP name` lines; `^oid` lines tell what a tag ends at, which is looked up anyway. */
  async packed(): Promise<ReadonlyMap<string, CommitHash>> {
    const file = join(this.#place.commonDir, 'packed-refs');
    const text = await readSmallFile(file).then(String, (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return '';
      throw new CheckpointError('permission', 'The list of branches cannot be read.', { place: { file }, cause: error });
    });
    const refs = new Map<string, CommitHash>();
    for (const line of text.split('\n')) {
      const space = line.indexOf(' ');
      const oid = line.slice(0, space);
      const name = line.slice(space + 1).trimEnd();
      if (isCommitHash(oid) && isRefName(name)) refs.set(name, oid);
    }
    return refs;
  }
}

async function readLoose(path: string): Promise<RefContent | null> {
  const found = await lstat(path).catch(() => null);
  if (found?.isSymbolicLink()) {
    // How HEAD was made symbolic in the first years of git.
    const target = await readlink(path).catch(() => '');
    if (target.startsWith('refs/') && isRefName(target)) return { kind: 'symbolic', target };
  } else if (!found?.isFile() || found.size > 65536) return null;
  const text = await readSmallFile(path).then(String, () => '');
  const target = /^ref:\s*(\S.*?)\s*$/.exec(text)?.[1];
  if (target !== undefined) return isRefName(target) ? { kind: 'symbolic', target } : null;
  const oid = /^([0-9a-f]{40})(?:\s|$)/.exec(text)?.[1];
  return oid !== undefined && isCommitHash(oid) ? { kind: 'oid', oid } : null;
}

/** What git allows as a ref's name (git-check-ref-format(1)); it also keeps every look-up inside the git directory. */
function isRefName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (name === '' || name.length > 4096 || /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^@$/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
