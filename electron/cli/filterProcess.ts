import type { Writable } from 'node:stream';
import { fileError } from '../bytes/fileError';
import { writeToStream } from '../bytes/writeToStream';
import { delaySmudges } from '../git/filter/delaySmudges';
import { serveFilter } from '../git/filter/filterServer';
import { programCommand } from '../programCommand';
import { ensureHooks } from '../services/tracker/ensureInstalled';
import { createFilter } from '../services/tracker/filterHandler';
import { fetchMissing } from '../services/transfer/fetchMissing';
import { formatError } from './formatError';
import type { Session, StandardStreams } from './session';

/** Files of one checkout that are made at the same time; each uses all workers by itself. */
const CONCURRENT_FILES = 2;

/** `theta filter-process`: serves git's clean and smudge filter until git has no more files. */
export async function filterProcess(session: Session, streams: StandardStreams): Promise<number> {
  // What is added will be pushed: the hooks upload it. That they cannot be written is no reason not to add.
  let hooks: Promise<unknown> | null = null;
  const filter = filterOf(session);
  // Both take a while, which passes until git has sent the first file. Whoever needs them hears what went wrong.
  session.pool.warmUp();
  session.repository().catch(() => {});
  const handler = delaySmudges(
    {
      ...filter,
      async clean(request) {
        hooks ??= session.repository().then((repository) => ensureHooks(repository, programCommand(), session.signal).catch(() => []));
        try {
          return await filter.clean(request);
        } finally {
          await hooks.catch(() => []);
        }
      },
      report: (error) => session.terminal.err(formatError(error)),
      givesUp: ({ code }) => code === 'no-space',
    },
    { concurrency: CONCURRENT_FILES },
  );
  await serveFilter({ ...streams, handler, signal: session.signal });
  return 0;
}

/** `theta clean` and `theta smudge`: one file, from the standard input to the standard output. */
export async function filterOnce(session: Session, streams: StandardStreams, { verb, path }: { verb: 'clean' | 'smudge'; path: string }): Promise<number> {
  const { signal } = session;
  const request = { pathname: path, content: streams.input, signal };
  const filter = filterOf(session);
  const result = verb === 'clean' ? await filter.clean(request) : await filter.smudge({ ...request, ref: null, treeish: null, blob: null });
  try {
    // A piece is the stream's until it has been written.
    for await (const piece of result.content) await written(streams.output, piece, signal);
  } finally {
    await result.dispose?.();
  }
  return 0;
}

function written(output: Writable, piece: Uint8Array, signal: AbortSignal): Promise<void> {
  return writeToStream(output, piece, signal).catch((error: unknown) => {
    throw fileError(error, 'the standard output');
  });
}

function filterOf(session: Session) {
  return createFilter({
    repository: () => session.repository(),
    pool: () => session.pool,
    fetchMissing: async (version, signal) => fetchMissing(await session.repository(), { ...version, signal }),
  });
}
