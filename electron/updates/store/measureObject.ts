import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import { writeZarrObject } from '../../encodings/zarr/writeZarrObject';
import { storeObject } from './storeObject';

/** Bytes of the object that some members make. @throws CheckpointError cancelled; what the members throw */
export async function measureObject(members: readonly MemberToWrite[], signal: AbortSignal): Promise<number> {
  const { bytes } = await storeObject(null, (sink) => writeZarrObject(members, sink, signal));
  return bytes;
}
