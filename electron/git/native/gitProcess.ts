import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import type { RepositoryPlace } from '../gitRepository';
import { gitEnvironment, NEUTRAL_ARGUMENTS } from './gitEnvironment';
import { gitFailure } from './gitFailure';

/** What every git process of one repository has in common. */
export interface GitCommand {
  /** Absolute path of the executable. */
  readonly executable: string;
  /** Folder the process runs in. */
  readonly folder: string;
  /** Arguments before the sub-command, such as `--git-dir=...`. */
  readonly place: readonly string[];
}

/** git at a repository whose place is known: it is not searched for again. */
export function commandAt(executable: string, { gitDir, workTree }: Pick<RepositoryPlace, 'gitDir' | 'workTree'>): GitCommand {
  const place = [`--git-dir=${gitDir}`];
  return workTree === null ? { executable, folder: gitDir, place } : { executable, folder: workTree, place: [...place, `--work-tree=${workTree}`] };
}

export interface GitRunOptions {
  /** What the process is for, to complete "git could not ...". */
  readonly what: string;
  readonly input?: Uint8Array | string;
  /** Exit codes that are answers, not failures; default only 0. */
  readonly answers?: readonly number[];
  /** `plain` leaves out the neutral settings: only for reading the configuration itself, which runs nothing. */
  readonly settings?: 'neutral' | 'plain';
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const STDERR_LIMIT = 64 * 1024;

/** Starts a git that only reads, without a shell. The caller listens for its end. */
export function startGit(
  command: GitCommand,
  args: readonly string[],
  options: Pick<GitRunOptions, 'settings' | 'environment'> = {},
): ChildProcessWithoutNullStreams {
  const neutral = (options.settings ?? 'neutral') === 'neutral' ? NEUTRAL_ARGUMENTS : ['--no-pager'];
  const child = spawn(command.executable, [...neutral, ...command.place, ...args], {
    cwd: command.folder,
    env: { ...gitEnvironment(process.env), ...options.environment },
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A process that ends before it has read its input is reported by its exit code.
  child.stdin.on('error', () => {});
  return child;
}

/**
 * Runs git and yields what it prints as it comes. Ending the iteration early or the signal kills the process.
 * @throws what gitFailure makes of a failure, cancelled
 */
export async function* streamGit(command: GitCommand, args: readonly string[], options: GitRunOptions): AsyncGenerator<Buffer, number> {
  throwIfCancelled(options.signal);
  const child = startGit(command, args, options);
  const stderr = collectStderr(child);
  const ended = endOf(child);
  const kill = () => void child.kill('SIGKILL');
  options.signal?.addEventListener('abort', kill, { once: true });
  try {
    child.stdin.end(options.input ?? '');
    for await (const chunk of child.stdout) {
      throwIfCancelled(options.signal);
      yield chunk as Buffer;
    }
    const end = await ended;
    throwIfCancelled(options.signal);
    if (end.error !== null) throw fileError(end.error, command.folder);
    if (end.code === null || !(options.answers ?? [0]).includes(end.code)) throw gitFailure(stderr(), options.what);
    return end.code;
  } finally {
    options.signal?.removeEventListener('abort', kill);
    if (child.exitCode === null && child.signalCode === null) kill();
  }
}

/** Runs git to its end. @throws what gitFailure makes of a failure, cancelled, too-large above 1 GiB of output */
export async function runGit(
  command: GitCommand,
  args: readonly string[],
  options: GitRunOptions,
): Promise<{ readonly code: number; readonly output: Buffer }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = streamGit(command, args, options);
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return { code: next.value, output: Buffer.concat(chunks, size) };
    chunks.push(next.value);
    size += next.value.length;
    if (size > 2 ** 30) {
      await stream.return(0);
      throw new CheckpointError('too-large', `git answered with more than 1 GiB when asked to ${options.what}.`);
    }
  }
}

export function collectStderr(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < STDERR_LIMIT) text += chunk;
  });
  return () => text;
}

/** Settles when the process and its pipes are closed, or when it could not be started. Never rejects. */
export function endOf(child: ChildProcessWithoutNullStreams): Promise<{ readonly code: number | null; readonly error: Error | null }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }));
    child.once('close', (code) => resolve({ code, error: null }));
  });
}
