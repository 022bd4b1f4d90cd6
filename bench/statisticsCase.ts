import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { cached } from './cacheFolder';
import { measureProcess } from './measureProcess';
import { median } from './median';
import { createNormalValues } from './normalValues';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';
import { whenPresent } from './whenPresent';

const BYTES = 1e9;
const TENSORS = [
  { dtype: 'float32', itemBytes: 4 },
  { dtype: 'bfloat16', itemBytes: 2 },
] as const;

/** 3 GB/s. */
const TARGET_SECONDS = BYTES / 3e9;
const TARGET_MB = 500;
/** Five times as fast. */
const TARGET_SHARE = 1 / 5;

/** What NumPy does for the same numbers; bfloat16, which it does not have, is widened. Prints seconds, from the page cache as here. */
const NUMPY = `
import sys, time
import numpy as np
begun = time.perf_counter()
x = np.fromfile(sys.argv[1], dtype=np.float32 if sys.argv[2] == 'float32' else np.uint16)
if sys.argv[2] != 'float32':
    x = (x.astype(np.uint32) << 16).view(np.float32)
x.min(), x.max(), x.mean(dtype=np.float64), x.std(dtype=np.float64), np.histogram(x, 64)
print(time.perf_counter() - begun)
`;

/** Statistics with a histogram of large tensors that lie in the page cache, by a pool of workers in a fresh process. */
export async function statisticsCase(repeat: number): Promise<readonly Row[]> {
  const folder = await cached('statistics-v1', async (made) => {
    for (const { dtype, itemBytes } of TENSORS) await writeTensor(join(made, dtype), itemBytes);
  });
  const rows: Row[] = [];
  for (const { dtype, itemBytes } of TENSORS) {
    const file = join(folder, dtype);
    const runs: ChildMeasurement[] = [];
    // The first run brings the file into the page cache.
    for (let run = -1; run < repeat; run++) {
      const measured = await runChild('statistics', { file, dtype, elements: BYTES / itemBytes });
      if (run >= 0) runs.push(measured);
    }
    const seconds = median(runs.map(({ results }) => results.seconds ?? Number.NaN));
    rows.push({ what: `statistics and histogram of 1 GB of ${dtype}`, value: seconds, unit: 's', target: TARGET_SECONDS });
    rows.push({ what: '  of it, memory', value: median(runs.map(({ peakTree }) => peakTree ?? Number.NaN)) / 1e6, unit: 'MB', target: TARGET_MB });
    const numpy = await whenPresent('python3', ['-c', 'import numpy'], async () => {
      const times: number[] = [];
      for (let run = 0; run < repeat; run++) times.push(Number((await measureProcess('python3', ['-c', NUMPY, file, dtype])).output));
      return median(times);
    });
    if (numpy === null) continue;
    rows.push({ what: '  NumPy: min, max, mean, std, histogram', value: numpy, unit: 's', target: null });
    rows.push({ what: "  share of NumPy's time", value: seconds / numpy, unit: '×', target: TARGET_SHARE });
  }
  return rows;
}

async function writeTensor(path: string, itemBytes: number): Promise<void> {
  const normal = createNormalValues(11);
  const stream = createWriteStream(path);
  const piece = 2_500_000;
  for (let done = 0; done < BYTES; done += piece * itemBytes) {
    const values = normal(piece, 0.02);
    const words = new Uint16Array(values.buffer);
    // The upper half of a float32 is a bfloat16, rounded towards zero.
    const bytes = itemBytes === 4 ? values : Uint16Array.from({ length: piece }, (_, i) => words[2 * i + 1] ?? 0);
    if (!stream.write(Buffer.from(bytes.buffer))) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}
