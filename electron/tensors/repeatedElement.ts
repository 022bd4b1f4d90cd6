/**
 * The one element that all of a piece of a tensor is made of, as hexadecimal digits; `null` when there are several, or less than one.
 * @param offset of the piece from the start of an element, in bytes
 */
export function repeatedElement(piece: Uint8Array, itemBytes: number, offset = 0): string | null {
  if (piece.byteLength < itemBytes) return null;
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  if (!bytes.subarray(itemBytes).equals(bytes.subarray(0, bytes.byteLength - itemBytes))) return null;
  const element = Buffer.alloc(itemBytes);
  for (let at = 0; at < itemBytes; at++) element[(at + offset) % itemBytes] = bytes[at] ?? 0;
  return element.toString('hex');
}
