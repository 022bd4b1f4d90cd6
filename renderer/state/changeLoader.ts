import { BoundedMap } from '../../shared/base/boundedMap';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitChange } from '../../shared/model/checkpoint';
import type { CommitHash } from '../../shared/model/commit';
import type { Client } from '../client/client';

/** Small batches: the bars of a screen appear together, and what scrolled away is not waited for. */
const BATCH = 60;
const REMEMBERED = 60_000;

interface Target {
  readonly repository: string;
  readonly path: string;
}

/** Asks what commits did to a checkpoint, only for the commits in view, one batch at a time, and remembers the answers. */
export class ChangeLoader {
  readonly #client: Client;
  readonly #onChange: (error: CheckpointError | null) => void;
  readonly #known = new BoundedMap<string, CommitChange>(REMEMBERED);
  #target: Target | null = null;
  #inView: readonly CommitHash[] = [];
  #running: AbortController | null = null;

  constructor(client: Client, onChange: (error: CheckpointError | null) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  changeOf(commit: string): CommitChange | undefined {
    return this.#target === null ? undefined : this.#known.peek(keyOf(this.#target, commit));
  }

  /** Chooses the checkpoint; `null` for none. */
  setTarget(target: Target | null): void {
    if (target?.repository === this.#target?.repository && target?.path === this.#target?.path) return;
    this.#running?.abort();
    this.#running = null;
    this.#target = target;
    this.#onChange(null);
    void this.#pump();
  }

  /** Commits in view, in the order in which they are wanted. */
  setInView(commits: readonly CommitHash[]): void {
    this.#inView = commits;
    void this.#pump();
  }

  /** Asks again for what could not be told: the reason may be gone. */
  forgetFailures(): void {
    this.#known.deleteWhere((change) => change.error !== null);
    void this.#pump();
  }

  async #pump(): Promise<void> {
    const target = this.#target;
    if (target === null || this.#running !== null) return;
    const controller = new AbortController();
    this.#running = controller;
    try {
      for (let batch = this.#missing(target); batch.length > 0; batch = this.#missing(target)) {
        const changes = await this.#client.request('history/changes', { ...target, commits: batch }, { signal: controller.signal });
        if (controller.signal.aborted) return;
        for (const change of changes) this.#known.set(keyOf(target, change.commit), change);
        if (batch.some((commit) => this.#known.peek(keyOf(target, commit)) === undefined)) {
          throw new CheckpointError('internal', 'The host left out changes that were asked for.');
        }
        this.#onChange(null);
      }
    } catch (error) {
      if (!controller.signal.aborted) this.#onChange(CheckpointError.from(error));
    } finally {
      if (this.#running === controller) this.#running = null;
    }
  }

  #missing(target: Target): CommitHash[] {
    const missing: CommitHash[] = [];
    for (const commit of this.#inView) {
      if (missing.length >= BATCH) break;
      if (this.#known.peek(keyOf(target, commit)) === undefined) missing.push(commit);
    }
    return missing;
  }
}

function keyOf(target: Target, commit: string): string {
  return `${commit}\0${target.repository}\0${target.path}`;
}
