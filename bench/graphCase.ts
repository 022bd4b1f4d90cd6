import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from './cacheFolder';
import { median } from './median';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';
import { LAYER_NODES, writeDecoder } from './writeDecoder';

const SIZES = [
  { layers: 32, target: 0.1 },
  { layers: 320, target: 0.5 },
  { layers: 1600, target: 3 },
] as const;
const TARGET_OPEN_MS = 50;
const TARGET_MB = 500;
/** 20 layers of some 50 MB. */
const LARGE = { layers: 20, width: 1024, external: 'weights.bin' };
const TARGET_RENAME_S = 1;

/** Synthetic decoders whose layers all take the same mask and rotary caches: from the file to the picture, each time in a fresh process. */
export async function graphCase(repeat: number): Promise<readonly Row[]> {
  const folder = await cached('decoders-v1', async (made) => {
    for (const { layers } of SIZES) await writeFile(join(made, `${layers}.onnx`), writeDecoder({ layers, width: 1024, external: null }).bytes);
    const large = writeDecoder(LARGE);
    await writeFile(join(made, 'large.onnx'), large.bytes);
    const weights = await open(join(made, LARGE.external), 'w');
    await weights.truncate(large.externalBytes);
    await weights.close();
  });
  const rows: Row[] = [];
  for (const { layers, target } of SIZES) {
    const runs: ChildMeasurement[] = [];
    for (let run = 0; run < repeat; run++) runs.push(await runChild('graph', { file: join(folder, `${layers}.onnx`) }));
    const of = (field: string) => median(runs.map(({ results }) => results[field] ?? Number.NaN));
    const what = `${(layers * LAYER_NODES).toLocaleString('en')} nodes`;
    rows.push({ what: `${what}: read, view and top-level layout`, value: of('seconds'), unit: 's', target });
    rows.push({ what: `${what}: of that the view`, value: of('view'), unit: 's', target: null });
    rows.push({ what: `${what}: open a group, the slowest of those of a layer`, value: of('slowest') * 1000, unit: 'ms', target: TARGET_OPEN_MS });
    rows.push({ what: `${what}: peak memory`, value: median(runs.map(({ peak }) => (peak ?? Number.NaN) / 1e6)), unit: 'MB', target: TARGET_MB });
  }
  const renames: ChildMeasurement[] = [];
  for (let run = 0; run < repeat; run++) renames.push(await runChild('renameAll', { file: join(folder, 'large.onnx') }));
  const renamed = median(renames.map(({ results }) => results.renamed ?? Number.NaN));
  const seconds = median(renames.map(({ results }) => results.seconds ?? Number.NaN));
  rows.push({ what: `rename all ${renamed} initializers of a model with 1 GB of external data`, value: seconds, unit: 's', target: TARGET_RENAME_S });
  return rows;
}
