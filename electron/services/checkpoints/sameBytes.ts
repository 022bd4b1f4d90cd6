import type { ByteSource } from '../../bytes/byteSource';
import { openFileSource } from '../../bytes/fileSource';
import { ReadAhead } from '../../bytes/readAhead';
import type { TensorRef } from '../../tensors/tensorRef';

/** A tensor up to here is compared where it is asked for: sending it to a worker costs more than reading it. */
const MAX_SMALL_BYTES = 64 * 1024;

/** One tensor as its file has it: contiguous bytes. */
export interface FileTensor {
  readonly ref: TensorRef;
  readonly path: string;
  readonly start: number;
}

/** The ref as bytes of a file, when its elements lie there as they are: in C order and in one piece. */
export function asFileTensor(ref: TensorRef): FileTensor | null {
  if (ref.strides !== null || ref.source.kind !== 'file') return null;
  return { ref, path: ref.source.path, start: (ref.source.range?.offset ?? 0) + ref.offset };
}

/** Both are the same bytes of the same file. */
export function isSamePlace(a: FileTensor, b: FileTensor): boolean {
  return a.path === b.path && a.start === b.start && a.ref.bigEndian === b.ref.bigEndian;
}

export function isSmall(bytes: number): boolean {
  return bytes <= MAX_SMALL_BYTES;
}

export interface SmallReader {
  /** Of two tensors of `bytes` bytes, at most 64 KiB. @throws CheckpointError not-found, permission, truncated */
  same(a: FileTensor, b: FileTensor, bytes: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Compares small tensors through one window per file and side; the calls must follow each other. */
export function createSmallReader(): SmallReader {
  const sources: ByteSource[] = [];
  const windows = { a: new Map<string, ReadAhead>(), b: new Map<string, ReadAhead>() };

  const read = async (side: 'a' | 'b', { path, start }: FileTensor, bytes: number): Promise<Uint8Array> => {
    let window = windows[side].get(path);
    if (window === undefined) {
      const source = await openFileSource(path);
      sources.push(source);
      window = new ReadAhead(source);
      windows[side].set(path, window);
    }
    return (window.peek(start, bytes) ?? (await window.load(start, bytes))).subarray(0, bytes);
  };

  return {
    same: async (a, b, bytes) => Buffer.compare(await read('a', a, bytes), await read('b', b, bytes)) === 0,
    async close() {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}
