import type { ByteSource } from './byteSource';

/** Fills `into` from `offset` of any source, without an allocation where the source can do that. */
export async function readInto(source: ByteSource, offset: number, into: Uint8Array): Promise<void> {
  if (source.readInto !== undefined) await source.readInto(offset, into);
  else into.set(await source.read(offset, into.byteLength));
}
