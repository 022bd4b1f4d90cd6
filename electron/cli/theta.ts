import { createWriteStream } from 'node:fs';
import { INTERRUPTED, run } from './run';

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

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => standardOutput().write(text),
  err: (text) => process.stderr.write(text),
  interactive: process.stderr.isTTY === true,
  // Writing to `process.stdout` would hold this thread until git has read, while workers wait for it.
  streams: () => ({ input: process.stdin, output: createWriteStream('', { fd: 1, autoClose: false }) }),
});

// What is still being written to a pipe that nobody reads would keep the program for ever.
if (process.exitCode === INTERRUPTED) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000).unref();
