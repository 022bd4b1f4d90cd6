import { stat } from 'node:fs/promises';
import type { CheckpointError } from '../../../shared/contract/errors';
import { missingLfsObject, wrongLfsSize } from './lfsErrors';

/**
 * Whether an object of the LFS store is there with the size that its pointer promises: the error, or `null`. `bytes` as the pointer says.
 * Contents are verified when they are read; this look is cheap enough for every group of a checkpoint.
 */
export async function checkLfsObject(object: { readonly oid: string; readonly bytes: number; readonly path: string }): Promise<CheckpointError | null> {
  const info = await stat(object.path).catch(() => null);
  if (info?.isFile() !== true) return missingLfsObject(object);
  return info.size === object.bytes ? null : wrongLfsSize(object, info.size);
}
