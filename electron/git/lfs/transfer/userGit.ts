import { type ChildProcess, spawn } from 'node:child_process';
import { throwIfCancelled } from '../../../../shared/contract/cancelled';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import type { RepositoryPlace } from '../../gitRepository';
import { withoutRedirection } from '../../native/gitEnvironment';
import { commandAt, type GitCommand } from '../../native/gitProcess';
import { findNativeGit } from '../../native/gitVersion';

const OUTPUT_LIMIT = 1024 * 1024;

/** The installed git at a repository that is open. @throws not-found when no usable git is installed */
export async function gitAt(place: RepositoryPlace): Promise<GitCommand> {
  const git = await findNativeGit();
  if (git === null) {
    throw new CheckpointError('not-found', 'There is no git on this machine, or it is older than version 2.24.', {
      hint: 'Install git: objects are exchanged with the remotes, accounts and settings that it knows.',
    });
  }
  return commandAt(git.executable, place);
}

/** The user's own environment, tracing included; without a terminal nothing asks there. */
export function userEnvironment(interactive: boolean): NodeJS.ProcessEnv {
  const environment = withoutRedirection(process.env);
  return interactive ? environment : { ...environment, GIT_TERMINAL_PROMPT: '0', GCM_INTERACTIVE: 'never' };
}

export interface ProgramRun {
  readonly executable: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Without the output the end does not wait for what the program left running (a credential cache keeps its pipes open). */
  readonly output: 'collect' | 'ignore';
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program that the user's configuration chose (credential helper, ssh) to its end.
 * @throws cancelled; what the system says when it cannot be started; too-large above 1 MiB of output
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  throwIfCancelled(run.signal);
  const pipe = run.output === 'collect' ? 'pipe' : 'ignore';
  const child = spawn(run.executable, run.args, { cwd: run.folder, env: run.environment, shell: false, windowsHide: true, stdio: ['pipe', pipe, pipe] });
  const kill = () => void child.kill('SIGKILL');
  run.signal?.addEventListener('abort', kill, { once: true });
  try {
    const stdout = collect(child, 'stdout');
    const stderr = collect(child, 'stderr');
    child.stdin?.on('error', () => {});
    child.stdin?.end(run.input ?? '');
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(fileError(error, run.executable)));
      child.once(run.output === 'collect' ? 'close' : 'exit', resolve);
    });
    throwIfCancelled(run.signal);
    return { code, stdout: stdout(), stderr: stderr() };
  } finally {
    run.signal?.removeEventListener('abort', kill);
  }
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  child[name]?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > OUTPUT_LIMIT) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  return () => {
    if (size > OUTPUT_LIMIT) throw new CheckpointError('too-large', 'A program that git uses for its remotes printed more than 1 MiB.');
    return Buffer.concat(chunks).toString('utf8');
  };
}
