import { CheckpointError } from '../../shared/contract/errors';
import { openRegular } from './openRegular';

/** Far above any file that is read as a whole; the largest are indexes and packed refs of huge repositories. */
const LARGEST = 512 * 2 ** 20;

/** A regular file as a whole. @throws what the system says; invalid-request for what is no regular file; too-large */
export async function readSmallFile(path: string, limit: number = LARGEST): Promise<Buffer> {
  const { handle, size } = await openRegular(path);
  try {
    if (size > limit) throw new CheckpointError('too-large', `${path} has ${size} bytes, more than such a file can have.`, { place: { file: path } });
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
