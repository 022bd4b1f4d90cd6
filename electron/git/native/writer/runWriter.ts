import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { cancelledError, throwIfCancelled } from '../../../../shared/contract/cancelled';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import { gitFailure } from '../gitFailure';
import { collectStderr } from '../gitProcess';
import { HookTrace } from './hookTrace';
import { clearOwnLock, indexLockPath, lockInTheWay, lockTime } from './indexLock';
import type { WriterTarget } from './writerContext';
import { writerEnvironment } from './writerEnvironment';
import { hookRefusal, writerFailure } from './writerFailure';

export interface WriterCall {
  /** What the process is for, to complete "git could not ...". */
  readonly what: string;
  readonly input?: Uint8Array | string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, not failures; default only 0. */
  readonly answers?: readonly number[];
  /** Whether hooks that can refuse may run, so that the error names the one that did. */
  readonly hooks?: boolean;
  /** Hooks whose failure comes after the deed and is no failure of it. */
  readonly lateHooks?: readonly string[];
  /** A better error than the general one; `null` leaves it to that. */
  readonly explain?: (stderr: string) => CheckpointError | null;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between asking git to stop and killing it; default 5000. */
  readonly patience?: number;
}

export interface WriterAnswer {
  readonly code: number;
  readonly output: Buffer;
  readonly stderr: string;
}

const OUTPUT_LIMIT = 2 ** 30;
/** How often, and how far apart, git is asked again while another program holds the index for a moment. */
const RETRIES = 5;
const RETRY_DELAY = 100;
/** A program that a hook left running may hold git's pipes open for ever; milliseconds to wait for them after git has ended. */
const PIPE_PATIENCE = 1000;

/**
 * Runs git to change what the user asked to change: with the user's configuration, hooks and signing, without a shell. Once the signal is aborted git is asked to
 * stop (it removes its locks), later killed; when it had already done what it was asked for, the answer is given all the same.
 * @throws what writerFailure (without a repository gitFailure) makes of a failure, what `explain` says, invalid-request when a hook refuses, cancelled
 */
export async function runWriter(target: WriterTarget, args: readonly string[], call: WriterCall): Promise<WriterAnswer> {
  throwIfCancelled(call.signal);
  const trace = call.hooks === true ? await HookTrace.start() : null;
  try {
    for (let attempt = 0; ; attempt++) {
      const answer = await runOnce(target, args, { ...call, environment: { ...call.environment, ...trace?.environment } });
      if ((call.answers ?? [0]).includes(answer.code)) return answer;
      throwIfCancelled(call.signal);
      const lock = lockInTheWay(answer.stderr);
      if (lock?.endsWith('index.lock') === true && attempt < RETRIES && (await lockTime(lock)) === null) {
        await delay(RETRY_DELAY);
        continue;
      }
      const hook = (await trace?.failed()) ?? null;
      if (hook !== null && call.lateHooks?.includes(hook) === true) return answer;
      throw call.explain?.(answer.stderr) ?? (hook === null ? await failureOf(target, answer.stderr, call.what) : hookRefusal(hook, call.what, answer.stderr));
    }
  } finally {
    await trace?.dispose();
  }
}

async function failureOf({ place }: WriterTarget, stderr: string, what: string): Promise<CheckpointError> {
  return place === undefined ? gitFailure(stderr, what) : writerFailure(stderr, what, place.gitDir);
}

async function runOnce({ command, place, filters = [] }: WriterTarget, args: readonly string[], call: WriterCall): Promise<WriterAnswer> {
  const lock = place === undefined ? null : indexLockPath(place.gitDir);
  const [before, started] = [lock === null ? null : await lockTime(lock), Date.now()];
  throwIfCancelled(call.signal);
  const child = spawn(command.executable, ['--no-pager', ...filters, ...command.place, ...args], {
    cwd: command.folder,
    env: { ...writerEnvironment(process.env), ...call.environment },
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= OUTPUT_LIMIT) chunks.push(chunk);
    else child.kill();
  });
  const stderr = collectStderr(child);
  // A process that ends before it has read its input is reported by its exit code.
  child.stdin.on('error', () => {});
  const stopping = stopOnAbort(child, call);
  try {
    const end = endOf(child);
    child.stdin.end(call.input ?? '');
    const { code, error } = await end;
    if (error !== null) throw fileError(error, command.folder);
    if (size > OUTPUT_LIMIT) throw new CheckpointError('too-large', `git answered with more than 1 GiB when asked to ${call.what}.`);
    if (code !== null) return { code, output: Buffer.concat(chunks, size), stderr: stderr() };
    if (stopping.hard() && lock !== null) await clearOwnLock(lock, { before, started, ended: Date.now() });
    if (call.signal?.aborted === true) throw cancelledError();
    throw new CheckpointError('internal', `git was killed before it could ${call.what}.`, stderr() === '' ? {} : { detail: stderr().trim() });
  } finally {
    stopping.dispose();
  }
}

/** Asks first, since git then removes its locks and stops its filters; Windows knows only the hard way. */
function stopOnAbort(child: ChildProcessWithoutNullStreams, { signal, patience = 5000 }: WriterCall): { hard(): boolean; dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  let hard = false;
  const kill = () => {
    hard = true;
    child.kill('SIGKILL');
  };
  const stop = () => {
    if (process.platform === 'win32') return kill();
    child.kill('SIGTERM');
    timer = setTimeout(kill, patience);
  };
  signal?.addEventListener('abort', stop, { once: true });
  return {
    hard: () => hard,
    dispose: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

/** Settles when git has ended and its pipes are closed or left to others. Never rejects. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<{ readonly code: number | null; readonly error: Error | null }> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    child.once('error', (error) => resolve({ code: null, error }));
    child.once('exit', (code) => {
      timer = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, error: null });
      }, PIPE_PATIENCE);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, error: null });
    });
  });
}
