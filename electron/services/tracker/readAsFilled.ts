import { type FileHandle, open } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';
import { tensorBytes } from '../../../shared/model/shape';
import { fileError } from '../../bytes/fileError';
import type { FileLayout, GroupToWrite } from '../../formats/format';

const READ_BYTES = 1024 * 1024;

/** Follows the filling of a file tensor by tensor. */
export interface FillGate {
  /** The file is there with its full length, and with everything in it that is no tensor. */
  begin(): void;
  /** Resolves when it is. */
  readonly begun: Promise<void>;
  /** A tensor stands in the file. */
  open(index: number): void;
  /** Resolves when it does. */
  wait(index: number): Promise<void>;
}

export function createFillGate(count: number): FillGate {
  const resolvers: (() => void)[] = [];
  const doors = Array.from({ length: count }, (_, index) => new Promise<void>((resolve) => (resolvers[index] = resolve)));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return { begin: () => begin(), begun, open: (index) => resolvers[index]?.(), wait: (index) => doors[index] ?? Promise.resolve() };
}

export interface FillingFile {
  readonly path: string;
  readonly layout: FileLayout;
  readonly groups: readonly GroupToWrite[];
  readonly gate: FillGate;
  /** Settles when the whole file is written, or cannot be. */
  readonly written: Promise<unknown>;
}

/**
 * Reads a file from front to back while it is being filled, each part as soon as it stands there. Where checksums in front depend on what comes
 * behind, that is when all of it does. A piece is valid until the next one is asked for.
 * @throws what filling throws
 */
export async function* readAsFilled({ path, layout, groups, gate, written }: FillingFile): AsyncGenerator<Uint8Array> {
  if (layout.finish !== null || layout.misfits !== undefined) await written;
  // Until then the file may not be there, or have zeros where its header will be.
  await Promise.race([gate.begun, written]);
  const tensors = placesInOrder(layout, groups);
  const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, layout.bytes));
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    let next = 0;
    for (let at = 0; at < layout.bytes; ) {
      const size = Math.min(READ_BYTES, layout.bytes - at);
      for (let tensor = tensors[next]; tensor !== undefined && tensor.start < at + size; tensor = tensors[++next]) {
        await Promise.race([gate.wait(tensor.index), written]);
      }
      await readExactly(handle, buffer.subarray(0, size), { at, path });
      yield buffer.subarray(0, size);
      at += size;
    }
    await written;
  } finally {
    await handle.close();
  }
}

function placesInOrder({ tensors }: FileLayout, groups: readonly GroupToWrite[]): readonly { readonly index: number; readonly start: number }[] {
  const places = groups.flatMap(({ dtype, shape }, index) => {
    const start = tensors[index];
    return start == null || tensorBytes(dtype, shape) === 0 ? [] : [{ index, start }];
  });
  return places.sort((a, b) => a.start - b.start);
}

async function readExactly(handle: FileHandle, into: Uint8Array, { at, path }: { readonly at: number; readonly path: string }): Promise<void> {
  for (let done = 0; done < into.byteLength; ) {
    const { bytesRead } = await handle.read(into, done, into.byteLength - done, at + done);
    if (bytesRead === 0) throw new CheckpointError('truncated', 'The file ended while it was read.', { place: { file: path, offset: at + done } });
    done += bytesRead;
  }
}
