import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { CommitDetail, CommitHash, CommitInfo, HeadInfo, RefInfo, RemoteInfo } from '../../../shared/model/commit';
import { pickAttributes, readAttributes } from '../attributes/readAttributes';
import { lastValue } from '../configKey';
import { CONVERSION_ATTRIBUTES, statusSettings } from '../contentStatus';
import { decodeUtf8 } from '../decodeText';
import type { BlobContent, GitRepository, RepositoryPlace, TreeEntry, WorkTreeStatus } from '../gitRepository';
import { requireHash } from '../objectErrors';
import { ParentOverridesFile } from '../parentOverrides';
import { type ParsedCommit, parseCommit } from '../parseCommit';
import { kindOfMode } from '../parseTree';
import { remotesOf } from '../remotesOf';
import { isRepositoryPath } from '../repositoryPath';
import { TreeLookup } from '../treeLookup';
import { workTreeStatus } from '../workTreeStatus';
import type { GitCommand } from './gitProcess';
import { runGit } from './gitProcess';
import { checkAttributes } from './nativeAttributes';
import { BLOB_LIMIT, nativeBlobSize, readNativeBlob, readNativeBlobStart, writeNativeBlob } from './nativeBlob';
import { readNativeBlobs } from './nativeBlobs';
import { readNativeConfig } from './nativeConfig';
import { findNativeEntries } from './nativeEntries';
import { readNativeIndex } from './nativeIndex';
import { NativeObjects } from './nativeObjects';
import { readNativeHead, readNativeRefs } from './nativeRefs';
import { resolveNative } from './resolveNative';
import { walkNative } from './walkNative';

/** A repository read through the git of this machine. */
export class NativeRepository implements GitRepository {
  readonly backend = 'native';
  readonly place: RepositoryPlace;
  readonly #command: GitCommand;
  readonly #objects: NativeObjects;
  readonly #once: boolean;
  #settings: ReturnType<typeof readNativeConfig> | null = null;
  readonly #overrides: ParentOverridesFile;
  readonly #lookup: TreeLookup;

  /** @param once whether settings are read once and for all: by a process that lives as long as one command of git */
  constructor(place: RepositoryPlace, command: GitCommand, once = false) {
    this.place = place;
    this.#once = once;
    this.#command = command;
    this.#objects = new NativeObjects(command);
    this.#overrides = new ParentOverridesFile(place.commonDir);
    this.#lookup = new TreeLookup({
      rootTree: async (commit) => (await this.#parsed(commit)).tree,
      tree: (oid) => this.#objects.structure(oid, 'tree'),
    });
  }

  head(): Promise<HeadInfo> {
    return readNativeHead(this.#command, this.#objects, this.place);
  }

  refs(): Promise<readonly RefInfo[]> {
    return readNativeRefs(this.#command, this.#objects);
  }

  async remotes(): Promise<readonly RemoteInfo[]> {
    return remotesOf(await readNativeConfig(this.#command));
  }

  async submodules(): Promise<readonly string[]> {
    const head = await this.head();
    if (head.kind === 'unborn') return [];
    return (await this.files(head.commit)).filter((entry) => entry.kind === 'submodule').map((entry) => entry.path);
  }

  async config(key: string): Promise<string | null> {
    // Settings asked for at the same time are read once.
    this.#settings ??= this.#readSettings();
    return lastValue(await this.#settings, key);
  }

  resolve(revision: string): Promise<CommitHash> {
    return resolveNative(this.#objects, revision);
  }

  async commit(hash: CommitHash): Promise<CommitDetail> {
    const { tree: _, ...detail } = await this.#parsed(hash);
    const parents = (await this.#overrides.read()).get(hash);
    return parents === undefined ? detail : { ...detail, parents };
  }

  async *walk(options: { readonly strict: boolean; readonly signal?: AbortSignal }): AsyncIterable<readonly CommitInfo[]> {
    throwIfCancelled(options.signal);
    const [head, refs] = await Promise.all([this.head(), this.refs()]);
    const tips = [...(head.kind === 'unborn' ? [] : [head.commit]), ...refs.map((ref) => ref.commit)];
    yield* walkNative(this.#command, tips, options);
  }

  async entry(commit: CommitHash, path: string): Promise<TreeEntry | null> {
    const [entry = null] = await this.entries([commit], path);
    return entry;
  }

  async entries(commits: readonly CommitHash[], path: string, signal?: AbortSignal): Promise<readonly (TreeEntry | null)[]> {
    if (!isRepositoryPath(path)) return commits.map(() => null);
    return findNativeEntries({ command: this.#command, objects: this.#objects, lookup: this.#lookup }, commits.map(requireHash), { path, signal });
  }

  async files(commit: CommitHash, signal?: AbortSignal): Promise<readonly TreeEntry[]> {
    const args = ['ls-tree', '-r', '-z', '--full-tree', requireHash(commit)];
    if ((await this.#objects.find(commit)) === null) throw await this.#objects.whyMissing(commit);
    const { output } = await runGit(this.#command, args, { what: 'list the files of a commit', signal });
    const files: TreeEntry[] = [];
    let start = 0;
    for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
      const tab = output.indexOf(0x09, start);
      const [mode = '', , oid = ''] = output.toString('latin1', start, tab).split(' ');
      files.push({ path: decodeUtf8(output.subarray(tab + 1, end)), kind: kindOfMode(mode), oid });
      start = end + 1;
    }
    return files;
  }

  async blobSize(oid: string): Promise<number> {
    return nativeBlobSize(this.#objects, requireHash(oid));
  }

  async blobStart(oid: string, length: number): Promise<Uint8Array> {
    return readNativeBlobStart(this.#command, this.#objects, { oid: requireHash(oid), length });
  }

  async blob(oid: string, limit: number = BLOB_LIMIT): Promise<Uint8Array> {
    return readNativeBlob(this.#command, this.#objects, { oid: requireHash(oid), limit });
  }

  async *blobs(oids: readonly string[], options: { readonly limit: number; readonly signal?: AbortSignal }): AsyncIterable<BlobContent> {
    yield* readNativeBlobs({ command: this.#command, objects: this.#objects }, oids.map(requireHash), options);
  }

  async blobToFile(oid: string, path: string, signal?: AbortSignal): Promise<void> {
    await writeNativeBlob(this.#command, this.#objects, { oid: requireHash(oid), path, signal });
  }

  async attributes(paths: readonly string[], names: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const inside = paths.filter(isRepositoryPath);
    if (this.place.workTree !== null) return checkAttributes(this.#command, inside, names);
    // git reads the attributes of a commit only from version 2.43 on.
    const head = await this.head();
    const all = await readAttributes(
      {
        commonDir: this.place.commonDir,
        config: (key) => this.config(key),
        attributesFile: async (path) => {
          const entry = head.kind === 'unborn' ? null : await this.entry(head.commit, path);
          return entry?.kind === 'blob' ? decodeUtf8(await this.blob(entry.oid)) : null;
        },
      },
      inside,
    );
    return new Map(inside.map((path) => [path, pickAttributes(all.get(path) ?? new Map(), names)]));
  }

  async status(paths: readonly string[]): Promise<ReadonlyMap<string, WorkTreeStatus>> {
    const { workTree } = this.place;
    if (workTree === null) return new Map(paths.map((path) => [path, 'unknown']));
    const inside = [...new Set(paths.filter(isRepositoryPath))];
    const [head, settings, index] = await Promise.all([this.head(), readNativeConfig(this.#command), readNativeIndex(this.#command, this.place, inside)]);
    const attributes = checkAttributes(this.#command, inside, CONVERSION_ATTRIBUTES);
    attributes.catch(() => {});
    const source = {
      workTree,
      index,
      ...statusSettings(settings),
      headEntry: async (path: string) => (head.kind === 'unborn' ? null : this.#lookup.find(head.commit, path)),
      attributesOf: async (path: string) => (await attributes).get(path) ?? {},
      smallBlob: async (oid: string, limit: number) => (await this.#objects.small(oid, limit)).bytes,
    };
    return new Map(await Promise.all(paths.map(async (path) => [path, await workTreeStatus(source, path)] as const)));
  }

  async close(): Promise<void> {
    await this.#objects.close();
  }

  #readSettings(): ReturnType<typeof readNativeConfig> {
    const forget = () => {
      this.#settings = null;
    };
    const settings = readNativeConfig(this.#command);
    settings.then(this.#once ? () => {} : forget, forget);
    return settings;
  }

  async #parsed(hash: CommitHash): Promise<ParsedCommit> {
    return parseCommit(await this.#objects.structure(requireHash(hash), 'commit'), hash);
  }
}
