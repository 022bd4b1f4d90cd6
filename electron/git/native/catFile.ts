import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { CatFileParser, type CatFileReply } from './catFileParser';
import { gitFailure } from './gitFailure';
import { collectStderr, endOf, type GitCommand, startGit } from './gitProcess';

interface Request {
  readonly spec: string;
  readonly limit: number;
  readonly resolve: (reply: CatFileReply) => void;
  readonly reject: (error: unknown) => void;
}

/** An unused process holds packs open, which keeps `git gc` from deleting them on Windows, and old replace refs. */
const IDLE_MILLISECONDS = 15_000;

/**
 * A long-lived `git cat-file --batch` (contents) or `--batch-check` (type and size) behind a queue. Requests are answered
 * in order; many may be under way. When the process dies, the request it died on fails with what git said, and the others
 * go to a new process; when that makes no headway either, all fail. Nothing is left hanging.
 */
export class CatFile {
  readonly #command: GitCommand;
  readonly #mode: 'contents' | 'check';
  #queue: Request[] = [];
  #child: ChildProcessWithoutNullStreams | null = null;
  #idle: NodeJS.Timeout | null = null;
  #fruitless = 0;
  #closed = false;

  constructor(command: GitCommand, mode: 'contents' | 'check') {
    this.#command = command;
    this.#mode = mode;
  }

  /**
   * @param spec anything that names an object: hash, `hash:path`, `ref^{commit}`; it cannot become an option
   * @param limit contents above this many bytes are not read: the reply says `large`
   */
  async request(spec: string, options: { readonly limit?: number; readonly signal?: AbortSignal | undefined } = {}): Promise<CatFileReply> {
    throwIfCancelled(options.signal);
    if (spec === '' || /[\n\0]/.test(spec)) throw new CheckpointError('invalid-request', 'The name of a git object may not be empty or hold a line break.');
    if (this.#closed) throw closedError();
    return new Promise((resolve, reject) => {
      this.#queue.push({ spec, limit: options.limit ?? Number.POSITIVE_INFINITY, resolve, reject });
      if (this.#idle !== null) clearTimeout(this.#idle);
      this.#idle = null;
      if (this.#child === null) this.#start();
      else this.#child.stdin.write(`${spec}\n`);
    });
  }

  /** Ends the process; requests under way are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    for (const request of this.#queue.splice(0)) request.reject(closedError());
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const ended = endOf(child);
    child.kill('SIGKILL');
    // A child of its own may hold the pipes open; nothing that comes through them is of interest any more.
    child.stdout.destroy();
    child.stderr.destroy();
    await ended;
  }

  #start(): void {
    const child = startGit(this.#command, ['cat-file', this.#mode === 'contents' ? '--batch' : '--batch-check']);
    this.#child = child;
    const stderr = collectStderr(child);
    const parser = new CatFileParser(this.#mode, () => this.#queue[0] ?? null);
    let answered = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      if (this.#child !== child) return;
      try {
        for (const reply of parser.push(chunk)) {
          answered++;
          this.#fruitless = 0;
          this.#queue.shift()?.resolve(reply);
          // The contents are on their way already: only a new process can be asked for something else now.
          if (reply.kind === 'large') return this.#replace(child);
        }
        if (this.#queue.length === 0) this.#rest();
      } catch (error) {
        this.#queue.shift()?.reject(error);
        this.#replace(child);
      }
    });
    void endOf(child).then((end) => {
      if (this.#child !== child) return;
      this.#child = null;
      if (this.#queue.length === 0) return;
      const failure = end.error === null ? gitFailure(stderr(), 'read an object') : CheckpointError.from(end.error);
      if (answered === 0) this.#fruitless++;
      const victims = this.#fruitless > 3 ? this.#queue.splice(0) : this.#queue.splice(0, 1);
      for (const request of victims) request.reject(failure);
      if (this.#queue.length > 0) this.#start();
    });
    if (this.#queue.length > 0) child.stdin.write(this.#queue.map((request) => `${request.spec}\n`).join(''));
  }

  #replace(child: ChildProcessWithoutNullStreams): void {
    this.#child = null;
    child.kill('SIGKILL');
    if (this.#queue.length > 0 && !this.#closed) this.#start();
  }

  #rest(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const child = this.#child;
      this.#child = null;
      child?.stdin.end();
    }, IDLE_MILLISECONDS);
    this.#idle.unref();
  }
}

function closedError(): CheckpointError {
  return new CheckpointError('cancelled', 'The repository was closed.');
}
