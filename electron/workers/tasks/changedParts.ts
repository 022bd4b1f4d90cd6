import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, type Shape, sameShape, tensorBytes } from '../../../shared/model/shape';
import type { TensorStream } from '../../tensors/tensorStream';
import { openTensor } from '../../updates/openTensor';
import type { TensorPlan } from '../../updates/updateChain';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

/** More rows than this are not told apart: the answer would be larger than most tensors. */
const MAX_ROWS = 16 * 1024 * 1024;

/** Rows (leading axes × last axis) and columns, ends excluded. */
export interface PartWindow {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

export interface ChangedPartsInput {
  /** `null`: nothing was there, so everything changed. */
  readonly before: TensorPlan | null;
  readonly after: TensorPlan;
  /** Elements that are looked at one by one. */
  readonly window: PartWindow | null;
}

export interface ChangedPartsOutput {
  readonly dtype: DType;
  readonly shape: Shape;
  /** 1 for each row that holds an element with other bits. */
  readonly rows: Uint8Array<ArrayBuffer>;
  /** The same of each element of the window (as far as it lies in the tensor), row by row. */
  readonly elements: Uint8Array<ArrayBuffer> | null;
}

/**
 * Which rows of a tensor, seen as a matrix (leading axes × last axis), and which elements of a window of it changed. A tensor of another type or
 * shape has changed everywhere.
 * @throws CheckpointError `too-large` above 16,777,216 rows; what reading throws
 */
export async function changedParts({ before, after, window }: ChangedPartsInput, context: TaskContext): Promise<ChangedPartsOutput> {
  const now = await openTensor(after, context.signal);
  try {
    const marks = new Marks(now, window);
    const old = before === null ? null : await openTensor(before, context.signal);
    try {
      if (old === null || old.dtype !== now.dtype || !sameShape(old.shape, now.shape)) marks.all();
      else await compare(old, now, { marks, context });
    } finally {
      await old?.close();
    }
    return { dtype: now.dtype, shape: now.shape, rows: marks.rows, elements: marks.elements };
  } finally {
    await now.close();
  }
}

async function compare(old: TensorStream, now: TensorStream, { marks, context }: { marks: Marks; context: TaskContext }): Promise<void> {
  const others = old.blocks(context.signal)[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  let offset = 0;
  const visit = async (block: Uint8Array) => {
    for (let at = 0; at < block.byteLength; ) {
      while (rest.byteLength === 0) {
        const next = await others.next();
        if (next.done === true) throw new CheckpointError('internal', 'A tensor ended before its last element.');
        rest = next.value;
      }
      const size = Math.min(rest.byteLength, block.byteLength - at);
      marks.compare(asBuffer(rest.subarray(0, size)), asBuffer(block.subarray(at, at + size)), offset);
      rest = rest.subarray(size);
      at += size;
      offset += size;
    }
  };
  try {
    await forEachBlock(now, visit, { context, before: 0, total: tensorBytes(now.dtype, now.shape) });
  } finally {
    await others.return?.();
  }
}

/** What has changed so far. */
class Marks {
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly elements: Uint8Array<ArrayBuffer> | null;
  readonly #element: number;
  readonly #columns: number;
  readonly #window: PartWindow | null;

  constructor({ dtype, shape }: TensorStream, window: PartWindow | null) {
    const rows = elementCount(shape.slice(0, -1));
    if (rows > MAX_ROWS)
      throw new CheckpointError('too-large', `A tensor of ${rows} rows cannot be told apart row by row; at most ${MAX_ROWS} can.`, {
        hint: 'Ask for the group as a whole.',
      });
    this.#columns = shape.at(-1) ?? 1;
    this.#element = dtypeBytes(dtype);
    this.rows = new Uint8Array(this.#columns === 0 ? 0 : rows);
    this.#window = window === null ? null : clip(window, this.rows.length, this.#columns);
    this.elements = this.#window === null ? null : new Uint8Array(extent(this.#window.rows) * extent(this.#window.columns));
  }

  all(): void {
    this.rows.fill(1);
    this.elements?.fill(1);
  }

  /** Two stretches of the same bytes of the tensors, from byte `offset` on. */
  compare(a: Buffer, b: Buffer, offset: number): void {
    if (a.equals(b)) return;
    const rowBytes = this.#columns * this.#element;
    const end = offset + a.length;
    for (let row = Math.floor(offset / rowBytes); row * rowBytes < end; row++) {
      const from = Math.max(offset, row * rowBytes) - offset;
      const to = Math.min(end, (row + 1) * rowBytes) - offset;
      if (a.compare(b, from, to, from, to) === 0) continue;
      this.rows[row] = 1;
      this.#compareElements(row, { a, b, offset });
    }
  }

  #compareElements(row: number, { a, b, offset }: { a: Buffer; b: Buffer; offset: number }): void {
    const window = this.#window;
    if (window === null || this.elements === null || row < window.rows[0] || row >= window.rows[1]) return;
    const size = this.#element;
    const [first, last] = window.columns;
    const line = (row - window.rows[0]) * (last - first);
    for (let column = first; column < last; column++) {
      const at = (row * this.#columns + column) * size - offset;
      // Blocks hold whole elements.
      if (at < 0 || at >= a.length) continue;
      if (a.compare(b, at, at + size, at, at + size) !== 0) this.elements[line + column - first] = 1;
    }
  }
}

function clip({ rows, columns }: PartWindow, rowCount: number, columnCount: number): PartWindow {
  const within = ([from, to]: readonly [number, number], count: number): readonly [number, number] => {
    const start = Math.min(from, count);
    return [start, Math.max(start, Math.min(to, count))];
  };
  return { rows: within(rows, rowCount), columns: within(columns, columnCount) };
}

function extent([from, to]: readonly [number, number]): number {
  return to - from;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
