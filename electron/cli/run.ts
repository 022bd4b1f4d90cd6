import { setMaxListeners } from 'node:events';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CheckpointError } from '../../shared/contract/errors';
import { fileError } from '../bytes/fileError';
import { programVersion, resourcePath } from '../resources';
import { serveUntilStopped } from '../serve';
import type { ExportTarget } from '../services/exportVersion';
import { createWorkerPool } from '../workers/createWorkerPool';
import type { WorkerPool } from '../workers/workerPool';
import { exportCommand, parseFormat } from './export';
import { formatError } from './formatError';
import { log } from './log';
import { createSession, GIT_BACKENDS, type GitBackend, type Session, type Terminal } from './session';
import { show } from './show';

const USAGE_ERROR = 2;
/** What shells report for a program ended by Ctrl-C. */
const INTERRUPTED = 130;

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

  const withSession = (verb: (session: Session) => Promise<number>) => async (program: Command) => {
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

  program
    .command('log')
    .description('list commits, newest first; with a path, those that changed it and how')
    .argument('[path]', 'checkpoint, from the root of the repository')
    .option('-n, --limit <count>', 'at most this many commits', parseCount)
    .option('--json', 'print one JSON document', false)
    .action((path: string | undefined, { limit, json }: { limit?: number; json: boolean }) =>
      withSession((session) => log(session, path, { json, limit: limit ?? null }))(program),
    );

  program
    .command('show')
    .description('list the parameter groups of a version (REV:PATH) or of a file on disk')
    .argument('<version>', 'REV:PATH, for example HEAD~2:model.pt, or a file')
    .option('--digest', 'reconstruct every group and print the SHA-256 of its raw little-endian C-order bytes', false)
    .option('--json', 'print one JSON document', false)
    .action((target: string, { digest, json }: { digest: boolean; json: boolean }) =>
      withSession((session) => show(session, target, { digest, json }))(program),
    );

  program
    .command('export')
    .description('write a version (REV:PATH), or a file on disk, to a checkpoint file; verified by re-reading')
    .argument('<version>', 'REV:PATH or a file')
    .argument('<out>', 'file to write')
    .option('-f, --format <format>', "safetensors, pytorch, npz, flax or original; default: by the extension of <out>, else the version's own", parseFormat)
    .option('--force', 'replace <out> when it exists', false)
    .option('--json', 'print one JSON document', false)
    .action((target: string, out: string, { format, force, json }: { format?: ExportTarget; force: boolean; json: boolean }) =>
      withSession((session) => exportCommand(session, { target, out }, { format, force, json }))(program),
    );

  program
    .command('serve')
    .description('serve the window to a browser on this machine, or through an SSH tunnel')
    .argument('[folder]', 'repository to open at once')
    .option('-p, --port <number>', 'port on the loopback interface', parsePort)
    .action(async (folder: string | undefined, { port }: { port?: number }) => {
      const base = resolve(program.opts<{ C?: string }>().C ?? '.');
      const initial = folder === undefined ? null : resolve(base, folder);
      // Said here, where it was typed, rather than in a browser on another machine.
      if (initial !== null) await access(initial).catch((error: unknown) => Promise.reject(fileError(error, initial)));
      await serveUntilStopped({ folder: initial, port: port ?? null }, (line) => terminal.out(`${line}\n`));
    });

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

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.');
  return Number(text);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}
