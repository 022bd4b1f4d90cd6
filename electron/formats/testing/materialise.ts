import { crc32 } from 'node:zlib';
import type { FileLayout, Placed } from '../format';

/**
 * For tests: the finished file of a layout with its tensors' bytes, in the order of the groups. Fails when a byte is written twice,
 * never, or outside the file, so that a layout that relies on luck is noticed.
 */
export function materialise(layout: FileLayout, contents: readonly Uint8Array[]): Buffer {
  if (contents.length !== layout.tensors.length) throw new Error(`${contents.length} contents for ${layout.tensors.length} tensors`);
  const file = Buffer.alloc(layout.bytes);
  const placed: Placed[] = [...layout.pieces];
  for (const [index, bytes] of contents.entries()) {
    const offset = layout.tensors[index];
    if (typeof offset === 'number') placed.push({ offset, bytes });
  }
  if (layout.finish !== null) placed.push(...layout.finish(contents.map((bytes) => crc32(bytes))));
  let end = 0;
  for (const { offset, bytes } of placed.filter((piece) => piece.bytes.byteLength > 0).sort((a, b) => a.offset - b.offset)) {
    if (offset !== end) throw new Error(offset < end ? `Bytes ${offset} to ${end} are written twice` : `Bytes ${end} to ${offset} are never written`);
    file.set(bytes, offset);
    end = offset + bytes.byteLength;
  }
  if (end !== layout.bytes) throw new Error(`The layout has ${layout.bytes} bytes but ${end} are written`);
  return file;
}
