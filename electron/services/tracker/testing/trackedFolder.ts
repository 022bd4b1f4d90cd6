import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitHash } from '../../../../shared/model/commit';
import type { UpdateChoice } from '../../../../shared/model/track';
import { openGitWriter } from '../../../git/native/writer/openGitWriter';
import { callGit, makeRepository, type TestRepository } from '../../../git/testing/testRepository';
import type { ThetaEntry } from '../../../theta/metadata';
import { parseMetadata } from '../../../theta/parseMetadata';
import { createInProcessPool } from '../../../workers/createInProcessPool';
import type { OpenedRepository } from '../../repositories/openedRepository';
import { openOne } from '../../repositories/repositoryCache';
import { addCheckpoint } from '../addCheckpoint';
import type { CleanedCheckpoint } from '../cleanRequest';
import { createFilter } from '../filterHandler';

/** A filter that fails whenever git calls it. */
const NEVER = ['-c', 'filter.theta.clean=false', '-c', 'filter.theta.smudge=false', '-c', 'filter.theta.required=true'];

interface FilterSubject {
  readonly path: string;
  readonly treeish?: string | null;
  readonly blob?: string | null;
  readonly folder?: string;
}

export interface AddOptions {
  readonly choice?: UpdateChoice;
  /** Absolute path of the update file. */
  readonly updateData?: string | null;
}

/**
 * For tests: a repository whose every file but `.gitattributes` is tracked. The engine adds and checks out in this process; git itself keeps the
 * commits. Each step opens the repository anew, so that nothing is remembered between them but what is on disk.
 */
export class TrackedFolder {
  readonly test: TestRepository;
  readonly pool = createInProcessPool();
  #age = 100_000;

  constructor(test: TestRepository) {
    this.test = test;
  }

  static async make(): Promise<TrackedFolder> {
    const folder = new TrackedFolder(await makeRepository());
    await folder.test.commit('attributes', { '.gitattributes': '* filter=theta diff=theta merge=theta -text\n.gitattributes -filter\n' });
    return folder;
  }

  get path(): string {
    return this.test.path;
  }

  git(...args: string[]): Promise<string> {
    return this.test.git(args);
  }

  /** A file older than all that follows, so that git need not look twice at what was written in the same second. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    await this.test.write(path, content);
    const time = new Date(Date.now() - this.#age--);
    await utimes(join(this.path, path), time, time);
  }

  async add(path: string, { choice = 'auto', updateData = null }: AddOptions = {}): Promise<CleanedCheckpoint> {
    return this.open(async (repository) => {
      const writer = await openGitWriter(repository.git, { filterCommand: { process: 'false', clean: 'false', smudge: 'false' } });
      return addCheckpoint({ repository, pool: this.pool, path, choice, updateData }, writer);
    });
  }

  /** Commits what is staged. */
  async commit(message: string, ...more: string[]): Promise<CommitHash> {
    await this.test.git(['commit', '-q', '-m', message, ...more], { env: this.test.nextDate() });
    return this.test.hash('HEAD');
  }

  /** Writes, adds and commits a file. */
  async put(path: string, content: Uint8Array, options: AddOptions = {}): Promise<{ readonly commit: CommitHash; readonly cleaned: CleanedCheckpoint }> {
    await this.write(path, content);
    const cleaned = await this.add(path, options);
    return { cleaned, commit: await this.commit(`put ${path}`) };
  }

  /** What a checkout of the file at a revision writes; no revision: of the index. */
  async checkout(revision: string, path: string, folder = this.path): Promise<Buffer> {
    const blob = (await callGit(folder, ['rev-parse', '--verify', `${revision}:${path}`])).toString().trim();
    const metadata = await callGit(folder, ['cat-file', 'blob', blob]);
    const treeish = revision === '' ? null : (await callGit(folder, ['rev-parse', revision])).toString().trim();
    return this.filter('smudge', metadata, { path, treeish, blob, folder });
  }

  /** What the filter makes of some content. */
  async filter(verb: 'clean' | 'smudge', content: Uint8Array | AsyncIterable<Uint8Array>, about: FilterSubject): Promise<Buffer> {
    const { path, treeish = null, blob = null, folder } = about;
    return this.open(async (repository) => {
      const filter = createFilter({ repository: async () => repository, pool: () => this.pool, fetchMissing: async () => {} });
      const request = { pathname: path, content: content instanceof Uint8Array ? once(content) : content, signal: new AbortController().signal };
      const result = await (verb === 'clean' ? filter.clean(request) : filter.smudge({ ...request, ref: null, treeish, blob }));
      try {
        return await collected(result.content);
      } finally {
        await result.dispose?.();
      }
    }, folder);
  }

  /** The metadata file at a revision. */
  async metadata(revision: string, path: string): Promise<string> {
    return (await this.test.bytes(['cat-file', 'blob', `${revision}:${path}`])).toString('utf8');
  }

  async entries(revision: string, path: string): Promise<ReadonlyMap<string, ThetaEntry>> {
    return parseMetadata(Buffer.from(await this.metadata(revision, path)), path).entries;
  }

  async entry(revision: string, path: string, group: string): Promise<ThetaEntry> {
    const entry = (await this.entries(revision, path)).get(group);
    if (entry === undefined) throw new TypeError(`${group} is not in ${path} at ${revision}`);
    return entry;
  }

  /** Fails when git has to run the filter to tell, which it need not do for files older than the index. */
  async status(): Promise<string> {
    const later = new Date(Date.now() + 60_000);
    await utimes(join(this.path, '.git', 'index'), later, later);
    return this.git(...NEVER, 'status', '--porcelain');
  }

  objectPath(oid: string): string {
    return join(this.path, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
  }

  /** Forgets commits that no branch holds. */
  async collectGarbage(): Promise<void> {
    await this.git('reflog', 'expire', '--expire=now', '--all');
    await this.git('gc', '-q', '--prune=now');
  }

  async open<T>(use: (repository: OpenedRepository) => Promise<T>, folder = this.path): Promise<T> {
    const repository = await openOne(folder);
    try {
      return await use(repository);
    } finally {
      repository.dispose();
    }
  }

  dispose(): Promise<void> {
    return this.test.dispose();
  }
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  // As git sends it, in packets.
  for (let at = 0; at < content.byteLength; at += 65_516) yield content.subarray(at, at + 65_516);
}

async function collected(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
