import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { layoutSafetensors } from '../electron/formats/safetensors/layoutSafetensors';
import type { DType } from '../shared/model/dtype';
import { elementCount, type Shape } from '../shared/model/shape';
import { cached } from './cacheFolder';
import { type Measurement, measureProcess } from './measureProcess';
import { median } from './median';
import { createNormalValues } from './normalValues';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';

const TARGET_RATIO = 2;
const TARGET_MB = 500;

/** Two checkpoints of 1 GB each: `dense`, where training moved every weight, and `sparse`, where it moved one in a hundred. */
const DTYPES: readonly { readonly dtype: DType; readonly name: string; readonly layers: number }[] = [
  { dtype: 'float32', name: 'float32', layers: 18 },
  { dtype: 'bfloat16', name: 'bfloat16', layers: 42 },
];
const VERSIONS = ['before', 'dense', 'sparse'] as const;

/** Compares two checkpoints of 1 GB with the built command, in a process of its own, beside reading both files. All are in the page cache. */
export async function compareCase(repeat: number): Promise<readonly Row[]> {
  const folder = await cached('compare-v2', async (made) => {
    for (const { dtype, name, layers } of DTYPES)
      for (const version of VERSIONS) await writeCheckpoint(join(made, `${name}-${version}.safetensors`), { dtype, layers, version });
  });
  const theta = join(process.cwd(), 'dist', 'cli', 'theta.cjs');
  const rows: Row[] = [];
  for (const { name } of DTYPES) {
    const file = (version: string) => join(folder, `${name}-${version}.safetensors`);
    for (const version of ['dense', 'sparse'] as const) {
      const compared: Measurement[] = [];
      const read: ChildMeasurement[] = [];
      // The first run brings both files into the page cache.
      for (let run = -1; run < repeat; run++) {
        const reading = await runChild('read', { files: [file('before'), file(version)] });
        const comparing = await measureProcess(process.execPath, [theta, 'compare', file('before'), file(version), '--json']);
        if (run < 0) continue;
        read.push(reading);
        compared.push(comparing);
      }
      const reading = median(read.map(({ results }) => results.seconds ?? Number.NaN));
      const seconds = median(compared.map((run) => run.seconds));
      rows.push({ what: `compare two checkpoints of 1 GB of ${name}, ${version} change`, value: seconds, unit: 's', target: null });
      rows.push({ what: '  of it, memory', value: median(compared.map(({ peakTree }) => peakTree ?? Number.NaN)) / 1e6, unit: 'MB', target: TARGET_MB });
      rows.push({ what: '  reading both', value: reading, unit: 's', target: null });
      rows.push({ what: '  share of reading both', value: seconds / reading, unit: '×', target: TARGET_RATIO });
    }
  }
  return rows;
}

interface Made {
  readonly dtype: DType;
  readonly layers: number;
  readonly version: (typeof VERSIONS)[number];
}

async function writeCheckpoint(path: string, { dtype, layers, version }: Made): Promise<void> {
  const groups: { readonly keys: readonly string[]; readonly dtype: DType; readonly shape: Shape }[] = [
    { keys: ['embed.weight'], dtype, shape: [30_000, 2048] },
  ];
  for (let layer = 0; layer < layers; layer++) {
    groups.push({ keys: [`layers.${layer}.up.weight`], dtype, shape: [2560, 2048] }, { keys: [`layers.${layer}.down.weight`], dtype, shape: [2048, 2560] });
    groups.push({ keys: [`layers.${layer}.norm.weight`], dtype, shape: [2048] });
  }
  const layout = layoutSafetensors(groups, []);
  // Both generators give the same weights in every version; the second moves them.
  const weights = createNormalValues(5);
  const moves = createNormalValues(6);
  const file = await open(path, 'w');
  try {
    for (const { offset, bytes } of layout.pieces) await file.write(bytes, 0, bytes.byteLength, offset);
    for (const [index, { shape, keys }] of groups.entries()) {
      const count = elementCount(shape);
      const values = weights(count, 0.04);
      if (version !== 'before' && !keys[0]?.includes('norm')) move(values, moves(count, 0.0005), version === 'dense' ? 1 : 100);
      const bytes = dtype === 'float32' ? new Uint8Array(values.buffer) : upperHalves(values);
      await file.write(bytes, 0, bytes.byteLength, layout.tensors[index] ?? 0);
    }
  } finally {
    await file.close();
  }
}

function move(values: Float32Array, moves: Float32Array, step: number): void {
  for (let i = 0; i < values.length; i += step) values[i] = (values[i] ?? 0) + (moves[i] ?? 0);
}

/** The upper half of a float32 is a bfloat16, rounded towards zero. */
function upperHalves(values: Float32Array): Uint8Array {
  const words = new Uint16Array(values.buffer);
  const halves = new Uint16Array(values.length);
  for (let i = 0; i < halves.length; i++) halves[i] = words[2 * i + 1] ?? 0;
  return new Uint8Array(halves.buffer);
}
