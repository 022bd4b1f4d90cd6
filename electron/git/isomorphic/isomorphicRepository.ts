import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitDetail, CommitHash, CommitInfo, HeadInfo, RefInfo, RemoteInfo } from '../../../shared/model/commit';
import { writeWhole } from '../../bytes/writeWhole';
import { pickAttributes, readAttributes, readWorkTreeAttributes } from '../attributes/readAttributes';
import { lastValue } from '../configKey';
import { CONVERSION_ATTRIBUTES, statusSettings } from '../contentStatus';
import { decodeUtf8 } from '../decodeText';
import type { BlobContent, GitRepository, RepositoryPlace, TreeEntry, WorkTreeStatus } from '../gitRepository';
import { requireHash, tooLarge, wrongType } from '../objectErrors';
import { ParentOverridesFile } from '../parentOverrides';
import { remotesOf } from '../remotesOf';
import { isRepositoryPath } from '../repositoryPath';
import { TreeLookup } from '../treeLookup';
import { workTreeStatus } from '../workTreeStatus';
import { CommitCache } from './commitCache';
import { readIsomorphicIndex } from './isomorphicIndex';
import { IsomorphicObjects } from './isomorphicObjects';
import { readIsomorphicHead, readIsomorphicRefs } from './isomorphicRefs';
import { listFiles } from './listFiles';
import { readConfig } from './readConfig';
import { RefFiles } from './readRefs';
import { resolveRevision } from './resolveRevision';
import { walkIsomorphic } from './walkIsomorphic';

/** What is held in memory at most; larger blobs need git. */
const BLOB_LIMIT = 512 * 2 ** 20;

/** A repository read without git on the machine: objects by isomorphic-git, the rest from the repository's own files. */
export class IsomorphicRepository implements GitRepository {
  readonly backend = 'isomorphic';
  readonly place: RepositoryPlace;
  readonly #objects: IsomorphicObjects;
  readonly #commits: CommitCache;
  readonly #refs: RefFiles;
  readonly #lookup: TreeLookup;

  constructor(place: RepositoryPlace) {
    this.place = place;
    this.#objects = new IsomorphicObjects(place.commonDir);
    this.#commits = new CommitCache(this.#objects, new ParentOverridesFile(place.commonDir));
    this.#refs = new RefFiles(place);
    this.#lookup = new TreeLookup({ rootTree: async (commit) => (await this.#commits.read(commit)).tree, tree: (oid) => this.#tree(oid) });
  }

  head(): Promise<HeadInfo> {
    return readIsomorphicHead(this.#refs, this.#objects);
  }

  refs(): Promise<readonly RefInfo[]> {
    return readIsomorphicRefs(this.#refs, this.#objects);
  }

  async remotes(): Promise<readonly RemoteInfo[]> {
    return remotesOf(await readConfig(this.place));
  }

  async submodules(): Promise<readonly string[]> {
    const head = await this.head();
    if (head.kind === 'unborn') return [];
    return (await this.files(head.commit)).filter((entry) => entry.kind === 'submodule').map((entry) => entry.path);
  }

  async config(key: string): Promise<string | null> {
    return lastValue(await readConfig(this.place), key);
  }

  resolve(revision: string): Promise<CommitHash> {
    return resolveRevision({ objects: this.#objects, commits: this.#commits, refs: this.#refs }, revision);
  }

  async commit(hash: CommitHash): Promise<CommitDetail> {
    const { tree: _, ...detail } = await this.#commits.read(requireHash(hash));
    return detail;
  }

  async *walk(options: { readonly strict: boolean; readonly signal?: AbortSignal }): AsyncIterable<readonly CommitInfo[]> {
    throwIfCancelled(options.signal);
    const [head, refs, read] = await Promise.all([this.head(), this.refs(), this.#commits.reader()]);
    const tips = [...(head.kind === 'unborn' ? [] : [head.commit]), ...refs.map((ref) => ref.commit)];
    yield* walkIsomorphic(read, tips, options);
  }

  async entry(commit: CommitHash, path: string): Promise<TreeEntry | null> {
    const [entry = null] = await this.entries([commit], path);
    return entry;
  }

  async entries(commits: readonly CommitHash[], path: string, signal?: AbortSignal): Promise<readonly (TreeEntry | null)[]> {
    if (!isRepositoryPath(path)) return commits.map(() => null);
    const entries: (TreeEntry | null)[] = [];
    for (const commit of commits) {
      throwIfCancelled(signal);
      const found = await this.#lookup.find(requireHash(commit), path);
      entries.push(found === null ? null : { path, kind: found.kind, oid: found.oid });
    }
    return entries;
  }

  async files(commit: CommitHash, signal?: AbortSignal): Promise<readonly TreeEntry[]> {
    return listFiles((oid) => this.#tree(oid), (await this.#commits.read(requireHash(commit))).tree, signal);
  }

  async blobSize(oid: string): Promise<number> {
    const loose = await this.#objects.looseHeader(requireHash(oid));
    if (loose === null) return (await this.#blob(oid)).length;
    if (loose.type !== 'blob') throw wrongType(oid, loose.type, 'blob');
    return loose.size;
  }

  async blobStart(oid: string, length: number): Promise<Uint8Array> {
    return (await this.#blob(requireHash(oid))).subarray(0, length);
  }

  async blob(oid: string, limit: number = BLOB_LIMIT): Promise<Uint8Array> {
    const loose = await this.#objects.looseHeader(requireHash(oid));
    if (loose !== null && loose.type === 'blob' && loose.size > limit) throw tooLarge(oid, loose.size, limit);
    const bytes = await this.#blob(oid);
    if (bytes.length > limit) throw tooLarge(oid, bytes.length, limit);
    return bytes;
  }

  async *blobs(oids: readonly string[], { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal }): AsyncIterable<BlobContent> {
    for (const oid of oids.map(requireHash)) {
      throwIfCancelled(signal);
      try {
        const loose = await this.#objects.looseHeader(oid);
        const large = loose !== null && loose.type === 'blob' && loose.size > limit;
        const bytes = large ? null : await this.#blob(oid);
        const size = bytes?.length ?? loose?.size ?? null;
        yield { oid, size, bytes: size !== null && size > limit ? null : bytes, error: null };
      } catch (error) {
        yield { oid, size: null, bytes: null, error: CheckpointError.from(error) };
      }
    }
  }

  async blobToFile(oid: string, path: string, signal?: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    const bytes = await this.blob(oid);
    throwIfCancelled(signal);
    await writeWhole(path, (write) => write(bytes));
  }

  async attributes(paths: readonly string[], names: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const inside = paths.filter(isRepositoryPath);
    const all = await readAttributes(
      { commonDir: this.place.commonDir, config: (key) => this.config(key), attributesFile: (path) => this.#attributesFile(path) },
      inside,
    );
    return new Map(inside.map((path) => [path, pickAttributes(all.get(path) ?? new Map(), names)]));
  }

  async status(paths: readonly string[]): Promise<ReadonlyMap<string, WorkTreeStatus>> {
    const { workTree } = this.place;
    if (workTree === null) return new Map(paths.map((path) => [path, 'unknown']));
    const [head, settings, index] = await Promise.all([this.head(), readConfig(this.place), readIsomorphicIndex(this.place, paths)]);
    const source = {
      workTree,
      index,
      ...statusSettings(settings),
      headEntry: async (path: string) => (head.kind === 'unborn' ? null : this.#lookup.find(head.commit, path)),
      attributesOf: async (path: string) => (await this.attributes([path], CONVERSION_ATTRIBUTES)).get(path) ?? {},
      smallBlob: (oid: string, limit: number) =>
        this.blob(oid, limit).catch((error: unknown) => {
          if (error instanceof CheckpointError && error.code === 'too-large') return null;
          throw error;
        }),
    };
    const answer = new Map<string, WorkTreeStatus>();
    for (const path of paths) answer.set(path, await workTreeStatus(source, path));
    return answer;
  }

  async close(): Promise<void> {
    this.#objects.close();
  }

  async #tree(oid: string): Promise<Uint8Array> {
    const { type, bytes } = await this.#objects.read(oid);
    if (type !== 'tree') throw wrongType(oid, type, 'tree');
    return bytes;
  }

  async #blob(oid: string): Promise<Uint8Array> {
    const { type, bytes } = await this.#objects.read(oid);
    if (type !== 'blob') throw wrongType(oid, type, 'blob');
    return bytes;
  }

  /** From the work tree, or where it is not there from the index, as git does; from HEAD when bare. */
  async #attributesFile(path: string): Promise<string | null> {
    const { workTree } = this.place;
    if (workTree === null) {
      const head = await this.head();
      const entry = head.kind === 'unborn' ? null : await this.entry(head.commit, path);
      return entry?.kind === 'blob' ? decodeUtf8(await this.blob(entry.oid)) : null;
    }
    const text = await readWorkTreeAttributes(workTree, path);
    if (text !== null) return text;
    const entry = (await readIsomorphicIndex(this.place, [path]))?.entries.get(path)?.find(({ stage, mode }) => stage === 0 && (mode & 0o170000) === 0o100000);
    return entry === undefined ? null : decodeUtf8(await this.blob(entry.oid));
  }
}
