import { stat } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';

/** Looks at a file now; the returned function throws when it is no longer the same file with the same size and times. */
export async function watchForChange(file: string): Promise<() => Promise<void>> {
  const look = async () => {
    const { size, mtimeMs, ino } = await stat(file).catch((error: unknown) => {
      throw fileError(error, file);
    });
    return `${size} ${mtimeMs} ${ino}`;
  };
  const before = await look();
  return async () => {
    if ((await look()) === before) return;
    throw new CheckpointError('conflict', `${file} was changed by another program while it was read.`, {
      place: { file },
      hint: 'Wait until it is written, then try again.',
    });
  };
}
