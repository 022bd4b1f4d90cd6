import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { programVersion } from '../resources';
import type { WorkerPool } from '../workers/workerPool';
import type { CommandLine } from './commandLine';
import { addComparingVerbs } from './comparingVerbs';
import { addFilterVerbs } from './filterVerbs';
import { addInstallVerbs } from './installVerbs';
import { addMergeVerbs } from './mergeVerbs';
import { addOnnxVerbs } from './onnxVerbs';
import { addReadingVerbs } from './readingVerbs';
import { GIT_BACKENDS, type GitBackend, type Session, type Terminal } from './session';
import { addTimelineVerbs } from './timelineVerbs';
import { addTrackingVerbs } from './trackingVerbs';
import { addTransferVerbs } from './transferVerbs';
import { exitCodeOf, startThreads, withSession } from './withSession';

const USAGE_ERROR = 2;

/**
 * Runs the command with these arguments (without node and script) and returns the exit code: 0, 1 for an error, 2 for wrong usage.
 * `createPool` gives what reconstructs tensors: threads, unless a test has no built worker.
 */
export async function run(args: readonly string[], terminal: Terminal, createPool: () => WorkerPool = startThreads): Promise<number> {
  let code = 0;

  const inSession = async (verb: (session: Session) => Promise<number>) => {
    const { C: folder = '.', git: backend } = program.opts<{ C?: string; git: GitBackend }>();
    code = await withSession({ terminal, folder: resolve(folder), backend, createPool }, verb);
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

  const line: CommandLine = { program, terminal, run: inSession, exit: (value) => (code = value) };
  addReadingVerbs(line);
  addComparingVerbs(line);
  addTimelineVerbs(line);
  addOnnxVerbs(line);
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
    return exitCodeOf(error, terminal);
  }
}
