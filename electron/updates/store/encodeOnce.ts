import type { ByteSink, MemberToWrite } from '../../encodings/zarr/arrayToWrite';
import { writeZarrObject } from '../../encodings/zarr/writeZarrObject';

/** Objects up to this size stay in memory until they are stored; larger ones are encoded again. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** An object whose size is known. */
export interface EncodedObject {
  readonly bytes: number;
  /** Hands the content to a sink, in order. @throws CheckpointError cancelled; what the members and the sink throw */
  write(sink: ByteSink): Promise<void>;
}

/** Encodes the object that some members make. @throws CheckpointError cancelled; what the members throw */
export async function encodeOnce(members: readonly MemberToWrite[], signal: AbortSignal): Promise<EncodedObject> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const keep = (part: Uint8Array) => {
    bytes += part.byteLength;
    // A part may change when the next one comes.
    if (bytes <= KEPT_BYTES) parts.push(Uint8Array.prototype.slice.call(part));
    else parts.length = 0;
  };
  await writeZarrObject(members, keep, signal);
  return {
    bytes,
    write: async (sink) => {
      if (bytes > KEPT_BYTES) return writeZarrObject(members, sink, signal);
      for (const part of parts) await sink(part);
    },
  };
}
