import type { MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import { storeObject } from './storeObject';
import { writeZarrObject } from './temporaryWriter';

/** Bytes of the object that some members make. @throws CheckpointError cancelled; what the members throw */
export async function measureObject(members: readonly MemberToWrite[], signal: AbortSignal): Promise<number> {
  const { bytes } = await storeObject(null, (sink) => writeZarrObject(members, sink, signal));
  return bytes;
}
