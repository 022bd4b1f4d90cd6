import { closeSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { openCheckpointFile } from '../electron/formats/openCheckpointFile';
import { openRepository } from '../electron/git/openRepository';
import { createBlobFiles } from '../electron/services/blobFiles';
import { createHistoryIndex } from '../electron/services/history/historyIndex';
import { openOne } from '../electron/services/repositories/repositoryCache';
import { measureTensor } from '../electron/services/statistics/measureTensor';
import { timelineIndex } from '../electron/services/timeline/timelines';
import { createWorkerPool } from '../electron/workers/createWorkerPool';
import { CheckpointError } from '../shared/contract/errors';
import { dtype } from '../shared/contract/schemas';
import { graph, renameAll } from './graphJobs';
import { memoryOf } from './measureProcess';

const PAGE = 200;
const READ_BYTES = 4 * 1024 * 1024;

/** Jobs that are measured in a process of their own: `node child.js JOB JSON` prints numbers as JSON. */
const JOBS: Readonly<Record<string, (input: unknown) => Promise<Record<string, number>>>> = {
  graph,
  renameAll,

  async history(input) {
    const { folder } = v.parse(v.object({ folder: v.string() }), input);
    const { signal } = new AbortController();
    const begun = performance.now();
    const repository = await openRepository(folder);
    const history = createHistoryIndex(repository);
    await history.page(0, PAGE, signal);
    const firstPage = (performance.now() - begun) / 1000;
    const { commits } = await history.all(signal);
    const whole = (performance.now() - begun) / 1000;
    history.dispose();
    await repository.close();
    return { firstPage, whole, commits: commits.length };
  },

  async timeline(input) {
    const { folder, path } = v.parse(v.object({ folder: v.string(), path: v.string() }), input);
    const { signal } = new AbortController();
    const repository = await openOne(folder);
    const blobFiles = createBlobFiles(join(folder, '.git', 'theta-desktop', 'blobs'));
    const look = async () => {
      const begun = performance.now();
      const index = await timelineIndex(repository, { path, scope: { kind: 'head' } }, { blobFiles, signal });
      return { seconds: (performance.now() - begun) / 1000, index };
    };
    const { seconds, index } = await look();
    const again = (await look()).seconds;
    repository.dispose();
    return { seconds, again, commits: index.columns.length, groups: index.rows.length, changes: index.changes.rows.length };
  },

  /** Reads files from front to back in one thread, in blocks as the program does. */
  async read(input) {
    const { files } = v.parse(v.object({ files: v.array(v.string()) }), input);
    const block = Buffer.allocUnsafeSlow(READ_BYTES);
    const begun = performance.now();
    let bytes = 0;
    for (const path of files) {
      const file = openSync(path, 'r');
      for (let size = 1; size > 0; bytes += size) size = readSync(file, block, 0, READ_BYTES, null);
      closeSync(file);
    }
    return { seconds: (performance.now() - begun) / 1000, bytes };
  },

  async open(input) {
    const { file } = v.parse(v.object({ file: v.string() }), input);
    const readBefore = await bytesRead();
    const { now: memoryBefore } = await memoryOf('self');
    const begun = performance.now();
    const { groups } = await openCheckpointFile({ kind: 'file', path: file }, file, undefined);
    const seconds = (performance.now() - begun) / 1000;
    if (groups.some(({ data }) => 'code' in data)) throw new CheckpointError('malformed', 'A group of the file cannot be read.');
    const { high } = await memoryOf('self');
    return { seconds, groups: groups.length, bytesRead: (await bytesRead()) - readBefore, grown: high - memoryBefore };
  },

  /** With the built workers, as the program runs them. */
  async statistics(input) {
    const { file, ...tensor } = v.parse(v.object({ file: v.string(), dtype, elements: v.number() }), input);
    const pool = createWorkerPool({ script: join(process.cwd(), 'dist', 'worker', 'worker.cjs') });
    try {
      const ref = { dtype: tensor.dtype, shape: [tensor.elements], source: { kind: 'file', path: file }, offset: 0, strides: null, bigEndian: false } as const;
      const measure = (elements: number) =>
        measureTensor(
          { kind: 'ref', group: 'tensor', ref: { ...ref, shape: [elements] } },
          { histogram: { bins: 64, range: null, scale: 'linear' }, quantiles: [] },
          { pool },
        );
      // The program's workers are there already when somebody looks at a tensor.
      await measure(tensor.elements / 8);
      const begun = performance.now();
      const { stats } = await measure(tensor.elements);
      const seconds = (performance.now() - begun) / 1000;
      if (stats.count !== tensor.elements || stats.nan > 0) throw new CheckpointError('internal', 'Elements were missed.');
      return { seconds };
    } finally {
      await pool.close();
    }
  },
};

/** Bytes that this process has read from files so far, cached or not; 0 where the system does not tell. */
async function bytesRead(): Promise<number> {
  const io = await readFile('/proc/self/io', 'utf8').catch(() => '');
  return Number(/^rchar: (\d+)$/m.exec(io)?.[1] ?? 0);
}

const [job = '', input = 'null'] = process.argv.slice(2);
const run = Object.hasOwn(JOBS, job) ? JOBS[job] : undefined;
if (run === undefined) throw new Error(`There is no job ${job}.`);
const results = await run(JSON.parse(input));
console.log(JSON.stringify({ ...results, peak: (await memoryOf('self')).high }));
