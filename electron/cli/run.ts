import { setMaxListeners } from 'node:events';
import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { CheckpointError } from '../../shared/contract/errors';
import { programVersion, resourcePath } from '../resources';
import { createWorkerPool } from '../workers/createWorkerPool';
import type { WorkerPool } from '../workers/workerPool';
import type { CommandLine } from './commandLine';
import { addFilterVerbs } from './filterVerbs';
import { formatError } from './formatError';
import { addInstallVerbs } from './installVerbs';
import { addMergeVerbs } from './mergeVerbs';
import { addReadingVerbs } from './readingVerbs';
import { createSession, GIT_BACKENDS, type GitBackend, type Session, type Terminal } from './session';
import { addTrackingVerbs } from './trackingVerbs';
import { addTransferVerbs } from './transferVerbs';

const USAGE_ERROR = 2;
/** What shells report for a program ended by Ctrl-C. */
export const INTERRUPTED = 130;

const startThreads = () => createWorkerPool({ script: resourcePath('dist/worker/worker.js') });

/**
 * Runs the command with these arguments (without node and script) and returns the exit code: 0, 1 for an error, 2 for wrong usage.
 * `createPool` gives what reconstructs tensors: threads, unless a test has no built worker.
 */
export async function run(args: readonly string[], terminal: Terminal, createPool: () => WorkerPool = startThreads): Promise<number> {
  const interrupt = new AbortController();
  // Every tensor that is read listens to it.
  setMaxListeners(0, interrupt.signal);
  let code = 0;

  const withSession = async (verb: (session: Session) => Promise<number>) => {
    const session = createSession({
      terminal,
      folder: resolve(program.opts<{ C?: string }>().C ?? '.'),
      signal: interrupt.signal,
      backend: program.opts<{ git: GitBackend }>().git,
      createPool,
    });
    const stop = () => interrupt.abort();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    try {
      code = await verb(session);
    } finally {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      await session.close();
    }
  };

  const program = new Command('theta')
    .description('Browse and export the versions of machine-learning models kept in git.')
    .version(programVersion(), '--version')
    .option('-C <folder>', 'work as if started in this folder')
    .addOption(
      new Option('--git <reader>', 'what reads the repository: the installed git, the built-in reader, or the first that can')
        .choices(GIT_BACKENDS)
        .default('auto'),
    )
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });

  const line: CommandLine = { program, terminal, run: withSession, exit: (value) => (code = value) };
  addReadingVerbs(line);
  addTrackingVerbs(line);
  addFilterVerbs(line);
  addMergeVerbs(line);
  addTransferVerbs(line);
  addInstallVerbs(line);

  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    const failed = CheckpointError.from(error);
    terminal.err(formatError(failed));
    return failed.code === 'cancelled' ? INTERRUPTED : 1;
  }
}
