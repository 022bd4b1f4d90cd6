import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatById } from '../electron/formats/registry';
import type { ExportFormat } from '../shared/model/checkpoint';
import { tensorBytes } from '../shared/model/shape';
import { bertGroups } from './bertGroups';
import { cached } from './cacheFolder';
import { median } from './median';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';

const FILES = [
  { what: '2 GB safetensors', format: 'safetensors', name: 'large.safetensors', bytes: 2e9 },
  { what: '10 GB .pt', format: 'pytorch', name: 'large.pt', bytes: 10e9 },
  { what: '10 GB npz', format: 'npz', name: 'large.npz', bytes: 10e9 },
] as const satisfies readonly { what: string; format: ExportFormat; name: string; bytes: number }[];

/** Opening reads headers: milliseconds, and memory that does not know how large the file is. */
const TARGET_MS = 100;
const TARGET_MB = 150;

/** Opens large files by their headers, each time in a fresh process. The tensors are holes of a sparse file. */
export async function openCase(repeat: number): Promise<readonly Row[]> {
  const folder = await cached('large-files-v1', async (made) => {
    for (const { format, name, bytes } of FILES) await writeSparse(join(made, name), format, bytes);
  });
  const rows: Row[] = [];
  for (const { what, name } of FILES) {
    const runs: ChildMeasurement[] = [];
    for (let run = 0; run < repeat; run++) runs.push(await runChild('open', { file: join(folder, name) }));
    const of = (field: string) => median(runs.map(({ results }) => results[field] ?? Number.NaN));
    rows.push({ what: `open a ${what} file (${of('groups')} groups)`, value: of('seconds') * 1000, unit: 'ms', target: TARGET_MS });
    rows.push({ what: `open a ${what} file, bytes read`, value: of('bytesRead') / 1e6, unit: 'MB', target: null });
    rows.push({ what: `open a ${what} file, peak memory`, value: median(runs.map(({ peak }) => (peak ?? Number.NaN) / 1e6)), unit: 'MB', target: TARGET_MB });
  }
  return rows;
}

/** As many BERT encoders, one after another, as fill `bytes`. */
async function writeSparse(path: string, id: ExportFormat, bytes: number): Promise<void> {
  const layout = formatById(id)?.layout ?? null;
  if (layout === null) throw new Error(`${id} cannot be written`);
  const one = bertGroups();
  const copies = Math.ceil(bytes / one.reduce((sum, { shape }) => sum + tensorBytes('float32', shape), 0));
  const groups = Array.from({ length: copies }, (_, copy) =>
    one.map(({ name, shape }) => ({ keys: [`model${copy}.${name}`], dtype: 'float32' as const, shape })),
  );
  const plan = layout(groups.flat(), []);
  const handle = await open(path, 'w');
  try {
    await handle.truncate(plan.bytes);
    const checksums = plan.tensors.map(() => 0);
    for (const piece of [...plan.pieces, ...(plan.finish?.(checksums) ?? [])]) await handle.write(piece.bytes, 0, piece.bytes.byteLength, piece.offset);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
