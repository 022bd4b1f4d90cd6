import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isDType } from '../../shared/model/dtype';
import type { Histogram } from '../../shared/model/tensorStats';
import { createHistogramAccumulator } from './histogramAccumulator';
import { createPreviewAccumulator } from './previewAccumulator';
import { createValueReader, type Values } from './statisticsValues';

interface Expected {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly stats: {
    readonly count: number;
    readonly nan: number;
    readonly pos_inf: number;
    readonly neg_inf: number;
    readonly zeros: number;
    readonly min?: number | string;
    readonly max?: number | string;
    readonly histogram10?: readonly number[];
  };
}

const folder = new URL('../../e2e/fixtures/numbers/', import.meta.url);
const expected: { tensors: Record<string, Expected> } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));
const file = readFileSync(new URL('tensors.safetensors', folder));
const headerBytes = Number(file.readBigUInt64LE(0));
const header: Record<string, { data_offsets: [number, number] }> = JSON.parse(file.toString('utf8', 8, 8 + headerBytes));

function bytesOf(name: string): Uint8Array {
  const [begin, end] = header[name]?.data_offsets ?? [0, 0];
  return file.subarray(8 + headerBytes + begin, 8 + headerBytes + end);
}

/** Blocks of a size that no tensor's length is a multiple of, and that lie unaligned. */
function* blocksOf(bytes: Uint8Array, itemBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += itemBytes * 777) yield bytes.subarray(at, at + itemBytes * 777);
}

function collect(dtype: string, blocks: Iterable<Uint8Array>, add: (values: Values) => void): void {
  if (!isDType(dtype)) throw new Error(dtype);
  const read = createValueReader(dtype);
  for (const block of blocks) read(block, add);
}

function histogramOf(values: Values, bins: number): Histogram {
  const histogram = createHistogramAccumulator(Math.min(...values), Math.max(...values), bins);
  histogram.add(values);
  return histogram.finish();
}

describe.each(Object.entries(expected.tensors))('%s, against NumPy in wider precision', (name, { dtype, shape, stats }) => {
  const bytes = bytesOf(name);
  const item = stats.count === 0 ? 1 : bytes.byteLength / stats.count;
  const layouts = [
    ['one block', [bytes]],
    ['small blocks', [...blocksOf(bytes, item)]],
    ['aligned', [Uint8Array.from(bytes)]],
  ] as const;

  test.runIf(stats.histogram10 !== undefined).each(layouts)('histogram in %s', (_, blocks) => {
    const histogram = createHistogramAccumulator(Number(stats.min), Number(stats.max), 10);
    collect(dtype, blocks, histogram.add);
    expect([...histogram.finish().counts]).toEqual(stats.histogram10);
  });

  test('preview holds every element once', () => {
    const preview = createPreviewAccumulator(shape);
    collect(dtype, blocksOf(bytes, item), preview.add);
    const { rows, columns, values, sourceRows, sourceColumns } = preview.finish();
    expect(sourceRows * sourceColumns).toBe(stats.count);
    expect([rows, columns]).toEqual([Math.min(256, sourceRows), Math.min(256, sourceColumns)]);
    expect(values.length).toBe(rows * columns);
    const marked = [...values].filter((value) => !Number.isFinite(value)).length;
    expect(marked > 0).toBe(stats.nan + stats.pos_inf + stats.neg_inf > 0);
  });
});

describe('histogram of what is hard for doubles', () => {
  test('a constant has one bin', () => {
    expect(histogramOf(Float32Array.of(0.1, 0.1, 0.1), 64).counts).toEqual(Float64Array.of(3));
  });

  test('a range that no double holds', () => {
    expect([...histogramOf(Float64Array.of(-1.7e308, -1e308, 0, 1e308, 1.7e308), 4).counts]).toEqual([2, 0, 1, 2]);
  });

  test('subnormal numbers', () => {
    const values = Float64Array.from({ length: 8 }, (_, i) => i * 5e-324);
    expect([...histogramOf(values, 7).counts]).toEqual([1, 1, 1, 1, 1, 1, 2]);
  });

  test('values on the edges belong to the bin above, the last one to the last bin', () => {
    expect([
      ...histogramOf(Float64Array.of(0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6000000000000001, 0.7000000000000001, 0.8, 0.9, 1), 10).counts,
    ]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
  });
});

describe('preview', () => {
  const previewOf = (shape: readonly number[], values: Values, step = 5) => {
    const preview = createPreviewAccumulator(shape);
    for (let at = 0; at < values.length; at += step) preview.add(values.subarray(at, at + step));
    return preview.finish();
  };

  test.each([
    { shape: [], rows: 1, columns: 1 },
    { shape: [3], rows: 1, columns: 3 },
    { shape: [2, 3], rows: 2, columns: 3 },
    { shape: [2, 2, 2], rows: 4, columns: 2 },
    { shape: [2, 3, 0], rows: 0, columns: 0 },
    { shape: [0, 3], rows: 0, columns: 3 },
  ])('small tensor of shape $shape as it is', ({ shape, rows, columns }) => {
    const values = Float32Array.from({ length: rows * columns }, (_, i) => i + 1);
    expect(previewOf(shape, values)).toEqual({ rows, columns, values, sourceRows: rows, sourceColumns: columns });
  });

  test('averages over cells that differ by one in size', () => {
    // 257 columns: two of them share the first cell (⌊0 · 256 / 257⌋ = ⌊1 · 256 / 257⌋ = 0), the others have one each.
    const row = Float32Array.from({ length: 257 }, (_, i) => i);
    const { values } = previewOf([257], row);
    expect([...values]).toEqual([0.5, ...Array.from({ length: 255 }, (_, i) => i + 2)]);
    const column = previewOf([257, 1], row, 10);
    expect([...column.values]).toEqual([...values]);
    expect(column).toMatchObject({ rows: 256, columns: 1, sourceRows: 257, sourceColumns: 1 });
  });

  test('NaN and infinities stay visible in an average', () => {
    const values = new Float32Array(512 * 512);
    values[0] = Number.NaN;
    values[1] = Number.POSITIVE_INFINITY;
    values[2] = Number.POSITIVE_INFINITY;
    values[3] = Number.NEGATIVE_INFINITY;
    values[512 + 5] = Number.NEGATIVE_INFINITY;
    values[6] = 8;
    expect([...previewOf([512, 512], values, 7).values.subarray(0, 5)]).toEqual([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2, 0]);
  });

  test('an average beyond float32 is no infinity', () => {
    expect([...previewOf([2], Float64Array.of(1e300, -1e300)).values]).toEqual([3.4028234663852886e38, -3.4028234663852886e38]);
  });
});
