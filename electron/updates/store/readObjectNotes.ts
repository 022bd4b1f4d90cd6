import { CheckpointError } from '../../../shared/contract/errors';
import type { ZarrArray } from '../../encodings/zarr/openZarrObject';
import { bytesOf } from '../../tensors/kernels/lanes';
import { openStoredObject, peekStoredObject } from '../openStoredObject';
import { readAll } from '../readMember';
import type { StoredObject } from '../updateChain';
import { MAX_NOTES, NOTES_MEMBER, type ObjectNotes, parseNotes } from './objectNotes';

export interface ReadNotesOptions {
  /** Whether the object's SHA-256 is verified first; its size always is. Reads all of it. */
  readonly verify?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What we noted in an object when we wrote it.
 * @returns `null` when there are no notes or they are damaged, or the object is missing or damaged
 * @throws CheckpointError cancelled
 */
export async function readObjectNotes(object: StoredObject, { verify = false, signal }: ReadNotesOptions = {}): Promise<ObjectNotes | null> {
  try {
    const opened = await (verify ? openStoredObject : peekStoredObject)(object, signal);
    try {
      const member = opened.members.get(NOTES_MEMBER);
      return member === undefined || !isText(member) ? null : parseNotes(utf8.decode(bytesOf(await readAll(member, signal))));
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof CheckpointError && error.code === 'cancelled') throw error;
    return null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isText({ dtype, shape }: ZarrArray): boolean {
  const [length] = shape;
  return dtype === 'uint8' && shape.length === 1 && length !== undefined && length <= MAX_NOTES;
}
