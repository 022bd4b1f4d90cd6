import type { ByteSink, MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import { encodeObject } from '../../encodings/testing/writeThetaObject';

export async function writeZarrObject(members: readonly MemberToWrite[], sink: ByteSink, signal?: AbortSignal): Promise<void> {
  const record: Record<string, { dtype: MemberToWrite['array']['dtype']; shape: readonly number[]; bytes: Uint8Array }> = {};
  for (const { name, array } of members) {
    const parts: Uint8Array[] = [];
    for await (const block of array.blocks(signal)) parts.push(Uint8Array.from(block));
    record[name] = { dtype: array.dtype, shape: array.shape, bytes: Buffer.concat(parts) };
  }
  await sink(encodeObject(record));
}
