import { CheckpointError } from '../../../../shared/contract/errors';
import type { CommitHash } from '../../../../shared/model/commit';
import type { CommitRequest, GitWriter, Identity, PreparedFile, StatusEntry } from '../../gitWriter';
import { commitStaged } from './commitStaged';
import { createBranch, createTag, deleteBranch } from './createRefs';
import { discardFiles } from './discardFiles';
import { readIdentity } from './readIdentity';
import { readStatus } from './readStatus';
import { rememberIndex } from './rememberIndex';
import { runWriter } from './runWriter';
import { stageFiles, stagePlainFiles } from './stageFiles';
import { detachHead, switchBranch } from './switchBranch';
import { unstageFiles } from './unstageFiles';
import type { WriterContext } from './writerContext';
import { nulFields, requirePaths } from './writerPaths';

/** Changes a repository through the git of this machine, one change at a time. */
export class NativeWriter implements GitWriter {
  readonly #context: WriterContext;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: WriterContext) {
    this.#context = context;
  }

  stage(files: readonly PreparedFile[], signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => stageFiles(this.#context, files, signal));
  }

  stagePlain(paths: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => stagePlainFiles(this.#context, paths, signal));
  }

  unstage(paths: readonly string[]): Promise<void> {
    return this.#inTurn(() => unstageFiles(this.#context, paths));
  }

  async rememberIndex(paths: readonly string[]): Promise<() => Promise<void>> {
    const putBack = await this.#inTurn(() => rememberIndex(this.#context, paths));
    return () => this.#inTurn(putBack);
  }

  commit(request: CommitRequest): Promise<CommitHash> {
    return this.#inTurn(() => commitStaged(this.#context, request));
  }

  status(signal?: AbortSignal): Promise<readonly StatusEntry[]> {
    return this.#inTurn(() => readStatus(this.#context, signal));
  }

  async indexEntries(path: string): Promise<ReadonlyMap<number, string>> {
    requirePaths([path]);
    const { output } = await runWriter(this.#context, ['ls-files', '-s', '-z', '--full-name', '--', path], {
      what: 'read the index',
      environment: { GIT_LITERAL_PATHSPECS: '1' },
    });
    const entries = new Map<number, string>();
    for (const line of nulFields(output)) {
      const tab = line.indexOf('\t');
      const [, oid = '', stage = ''] = line.slice(0, tab).split(' ');
      // A pathspec that is a folder lists what is in it.
      if (line.slice(tab + 1) === path) entries.set(Number(stage), oid);
    }
    return entries;
  }

  identity(): Promise<Identity | null> {
    return readIdentity(this.#context);
  }

  createBranch(name: string, commit: CommitHash): Promise<void> {
    return this.#inTurn(() => createBranch(this.#context, name, commit));
  }

  deleteBranch(name: string, commit: CommitHash): Promise<void> {
    return this.#inTurn(() => deleteBranch(this.#context, name, commit));
  }

  detach(commit: CommitHash): Promise<void> {
    return this.#inTurn(() => detachHead(this.#context, commit));
  }

  switchBranch(name: string, signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => switchBranch(this.#context, name, signal));
  }

  createTag(name: string, commit: CommitHash, message: string | null): Promise<void> {
    return this.#inTurn(() => createTag(this.#context, name, { commit, message }));
  }

  discard(paths: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => discardFiles(this.#context, paths, signal));
  }

  async writeBlob(content: Uint8Array): Promise<string> {
    const { output } = await runWriter(this.#context, ['hash-object', '-w', '-t', 'blob', '--no-filters', '--stdin'], { what: 'store a blob', input: content });
    const oid = output.toString('latin1').trim();
    if (!/^[0-9a-f]{40,64}$/.test(oid)) throw new CheckpointError('internal', 'git did not say under which id it stored a blob.');
    return oid;
  }

  /** Two calls at once would find each other's index.lock. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }
}
