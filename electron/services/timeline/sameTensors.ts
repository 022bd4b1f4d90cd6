import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { sameShape, tensorBytes } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { openSource } from '../../bytes/openSource';
import type { TensorRef } from '../../tensors/tensorRef';
import type { Version } from './version';

/** Bytes of both files together up to which a pair of plain versions is compared by what is in them. */
const MAX_PAIR_BYTES = 512 * 1024 * 1024;
const PIECE = 1024 * 1024;

/** Bytes that may still be read for comparing in this call; what is beyond is compared by the next one. */
export interface ReadBudget {
  bytes: number;
}

/**
 * Rows whose tensors have the same bytes in two plain versions, where both lie in one piece. `null` when the budget does not reach. Versions
 * that are together larger than 512 MiB are not compared: all their tensors then count as replaced.
 */
export async function sameTensors(before: Version, after: Version, options: { budget: ReadBudget; signal: AbortSignal }): Promise<ReadonlySet<number> | null> {
  const same = new Set<number>();
  if (before.tensors === null || after.tensors === null) return same;
  const pairs: { readonly row: number; readonly a: TensorRef; readonly b: TensorRef; readonly bytes: number }[] = [];
  let total = 0;
  for (const [row, b] of after.tensors) {
    const a = before.tensors.get(row);
    if (a === undefined || !comparable(a, b)) continue;
    const bytes = tensorBytes(b.dtype, b.shape);
    pairs.push({ row, a, b, bytes });
    total += 2 * bytes;
  }
  if (total > MAX_PAIR_BYTES) return same;
  if (total > options.budget.bytes) return null;
  options.budget.bytes -= total;
  const sources = new Sources();
  try {
    for (const { row, a, b, bytes } of pairs) {
      throwIfCancelled(options.signal);
      if (await sameBytes(await sources.of(a), await sources.of(b), { a: a.offset, b: b.offset, bytes })) same.add(row);
    }
    return same;
  } finally {
    await sources.close();
  }
}

function comparable(a: TensorRef, b: TensorRef): boolean {
  return a.strides === null && b.strides === null && a.bigEndian === b.bigEndian && a.dtype === b.dtype && sameShape(a.shape, b.shape);
}

async function sameBytes(a: ByteSource, b: ByteSource, at: { readonly a: number; readonly b: number; readonly bytes: number }): Promise<boolean> {
  for (let done = 0; done < at.bytes; done += PIECE) {
    const length = Math.min(PIECE, at.bytes - done);
    const [x, y] = [await a.read(at.a + done, length), await b.read(at.b + done, length)];
    if (Buffer.compare(x, y) !== 0) return false;
  }
  return true;
}

/** Each source opened once. */
class Sources {
  readonly #open = new Map<string | Uint8Array, ByteSource>();

  async of({ source }: TensorRef): Promise<ByteSource> {
    const key = source.kind === 'memory' ? source.bytes : JSON.stringify(source);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opened = await openSource(source);
    this.#open.set(key, opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((source) => source.close()));
  }
}
