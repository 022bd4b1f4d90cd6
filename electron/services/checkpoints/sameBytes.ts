import type { ByteSource } from '../../bytes/byteSource';
import { openFileSource } from '../../bytes/fileSource';
import type { TensorRef } from '../../tensors/tensorRef';

/** A tensor up to here is compared where it is asked for: sending it to a worker costs more than reading it. */
const MAX_SMALL_BYTES = 64 * 1024;
/** Read at once where tensors are asked for in the order in which they lie, as they mostly are; one that lies elsewhere is read alone. */
const WINDOW_BYTES = 256 * 1024;

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

/** Compares small tensors through one window per file; the calls must follow each other. */
export function createSmallReader(): SmallReader {
  const windows = new Map<string, FileWindow>();

  const read = async ({ path, start }: FileTensor, bytes: number): Promise<Uint8Array> => {
    const window = windows.get(path) ?? createWindow(await openFileSource(path));
    windows.set(path, window);
    return window.read(start, bytes);
  };

  return {
    same: async (a, b, bytes) => Buffer.compare(await read(a, bytes), await read(b, bytes)) === 0,
    async close() {
      await Promise.all([...windows.values()].map((window) => window.close()));
    },
  };
}

interface FileWindow {
  read(start: number, bytes: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

function createWindow(source: ByteSource): FileWindow {
  let from = 0;
  let held: Uint8Array = new Uint8Array(0);
  return {
    async read(start, bytes) {
      if (start < from || start + bytes > from + held.byteLength) {
        const end = from + held.byteLength;
        const isNext = start >= from && start <= end + MAX_SMALL_BYTES;
        // A range past the end of the source is asked for as it is, for the source to refuse it.
        held = await source.read(start, isNext ? Math.max(bytes, Math.min(WINDOW_BYTES, source.length - start)) : bytes);
        from = start;
      }
      return held.subarray(start - from, start - from + bytes);
    },
    close: () => source.close(),
  };
}
