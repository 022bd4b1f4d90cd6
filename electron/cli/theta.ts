import { createWriteStream } from 'node:fs';
import { isPipe, PipeInput } from '../bytes/pipeInput';
import { loadBundle } from '../loadBundle';
import { resourcePath } from '../resources';
import { INTERRUPTED } from './exitCodes';
import type { Terminal } from './session';

type Run = (args: readonly string[], terminal: Terminal) => Promise<number>;

let watched = false;

/** Asked for only when there is something to say: from then on node has the system refuse writes while the reader of a pipe is busy. */
function standardOutput(): NodeJS.WriteStream {
  if (!watched) {
    watched = true;
    // A reader that closes its end early (`theta show … | head`) is no error.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      process.stderr.write(`theta: The output cannot be written${error.code === 'ENOSPC' ? ', the disk is full' : ''} (${error.code ?? error.message}).\n`);
      process.exit(1);
    });
  }
  return process.stdout;
}

/** git's filter is a bundle of its own, which holds nothing that only other verbs need: git waits for its start. */
function runOf(args: readonly string[]): Run {
  const isFilter = args.length === 1 && args[0] === 'filter-process';
  const { run } = loadBundle<{ readonly run: Run }>(resourcePath(isFilter ? 'dist/filter/filter.cjs' : 'dist/cli/run.cjs'));
  return run;
}

async function main(args: readonly string[]): Promise<void> {
  // Stays where everything comes to rest before the verb has said how it went: that is no success.
  process.exitCode = 1;
  const run = runOf(args);
  process.exitCode = await run(args, {
    out: (text) => standardOutput().write(text),
    err: (text) => process.stderr.write(text),
    interactive: process.stderr.isTTY === true,
    // Writing to `process.stdout` would hold this thread until git has read, while workers wait for it.
    streams: () => ({ input: isPipe(0) ? new PipeInput(0) : process.stdin, output: createWriteStream('', { fd: 1, autoClose: false }) }),
  });

  // What is still being written to a pipe that nobody reads would keep the program for ever.
  if (process.exitCode === INTERRUPTED) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000).unref();
}

void main(process.argv.slice(2));
