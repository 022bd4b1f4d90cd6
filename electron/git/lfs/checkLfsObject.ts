import { stat } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';

/**
 * Whether an object of the LFS store is there with the size that its pointer promises: the error, or `null`. `bytes` as the pointer says.
 * Contents are verified when they are read; this look is cheap enough for every group of a checkpoint.
 */
export async function checkLfsObject(object: { readonly oid: string; readonly bytes: number; readonly path: string }): Promise<CheckpointError | null> {
  const { oid, bytes, path } = object;
  const info = await stat(path).catch(() => null);
  if (info?.isFile() !== true) {
    return new CheckpointError('missing-object', `The object ${oid.slice(0, 10)} is not in the Git LFS store.`, {
      place: { oid },
      hint: 'Fetch it with git lfs fetch, or copy it from a clone that has it.',
    });
  }
  if (info.size !== bytes) {
    return new CheckpointError('corrupt-object', `The object ${oid.slice(0, 10)} has ${info.size} bytes instead of ${bytes}.`, {
      place: { oid, offset: Math.min(info.size, bytes) },
      hint: 'Delete the damaged file from the Git LFS store and fetch it again.',
    });
  }
  return null;
}
