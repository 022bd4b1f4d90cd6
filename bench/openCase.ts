import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatById } from '../electron/formats/registry';
import type { ExportFormat } from '../shared/model/checkpoint';
import { type BertSize, bertGroups } from './bertGroups';
import { cached } from './cacheFolder';
import { median } from './median';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';

const FILES = [
  { what: 'a 2 GB safetensors file', format: 'safetensors', size: { width: 2048, layers: 9 }, target: true },
  { what: 'a 10 GB .pt file', format: 'pytorch', size: { width: 4096, layers: 12 }, target: true },
  { what: 'a 10 GB npz file', format: 'npz', size: { width: 4096, layers: 12 }, target: true },
  // Far more groups than files of this size have: what each of them costs.
  { what: 'a .pt file with many groups', format: 'pytorch', size: { width: 32, layers: 300 }, target: false },
  { what: 'an npz file with many groups', format: 'npz', size: { width: 32, layers: 300 }, target: false },
] as const satisfies readonly { what: string; format: ExportFormat; size: BertSize; target: boolean }[];

/** Opening reads headers: milliseconds, and memory that does not know how large the file is. The memory is beyond that of the program before it opens. */
const TARGET_MS = 50;
const TARGET_MB = 50;

/** Opens large files by their headers, each time in a fresh process. The tensors are holes of a sparse file. */
export async function openCase(repeat: number): Promise<readonly Row[]> {
  const folder = await cached('large-files-v2', async (made) => {
    for (const [index, { format, size }] of FILES.entries()) await writeSparse(join(made, String(index)), format, size);
  });
  const rows: Row[] = [];
  for (const [index, { what, target }] of FILES.entries()) {
    const runs: ChildMeasurement[] = [];
    for (let run = 0; run < repeat; run++) runs.push(await runChild('open', { file: join(folder, String(index)) }));
    const of = (field: string) => median(runs.map(({ results }) => results[field] ?? Number.NaN));
    rows.push({ what: `open ${what} (${of('groups')} groups)`, value: of('seconds') * 1000, unit: 'ms', target: target ? TARGET_MS : null });
    rows.push({ what: `open ${what}, bytes read`, value: of('bytesRead') / 1e6, unit: 'MB', target: null });
    rows.push({ what: `open ${what}, memory`, value: of('grown') / 1e6, unit: 'MB', target: target ? TARGET_MB : null });
  }
  return rows;
}

async function writeSparse(path: string, id: ExportFormat, size: BertSize): Promise<void> {
  const layout = formatById(id)?.layout ?? null;
  if (layout === null) throw new Error(`${id} cannot be written`);
  const groups = bertGroups(size).map(({ name, shape }) => ({ keys: [name], dtype: 'float32' as const, shape }));
  const plan = layout(groups, []);
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
