import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import { writeZarrObject } from '../../encodings/zarr/writeZarrObject';

/** Bytes of the object that some members make. @throws CheckpointError cancelled; what the members throw */
export async function measureObject(members: readonly MemberToWrite[], signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const count = (part: Uint8Array) => {
    bytes += part.byteLength;
  };
  await writeZarrObject(members, count, signal);
  return bytes;
}
