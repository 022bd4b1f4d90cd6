import { CheckpointError, type ErrorCode } from '../../shared/contract/errors';
import { systemCode } from './systemCode';

const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['not-found', 'There is no such file or folder'],
  ENOTDIR: ['not-found', 'A part of the path is not a folder'],
  EISDIR: ['invalid-request', 'This is a folder, not a file'],
  EACCES: ['permission', 'You are not allowed to use this'],
  EPERM: ['permission', 'You are not allowed to use this'],
  EROFS: ['permission', 'The file system is read-only'],
  ENOSPC: ['no-space', 'The disk is full'],
  EDQUOT: ['no-space', 'Your disk quota is used up'],
  EEXIST: ['exists', 'The file exists already'],
  ENAMETOOLONG: ['invalid-request', 'The name is longer than the file system takes'],
  ELOOP: ['invalid-request', 'The links on the way lead in a circle'],
  EFBIG: ['too-large', 'The file system does not take files this large'],
};

/** A failed system call as a CheckpointError that names the file; other errors pass through. */
export function fileError(error: unknown, path: string): CheckpointError {
  if (error instanceof CheckpointError) return error.at({ file: path });
  const code = systemCode(error);
  const known = code !== null && Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  if (known !== undefined) return new CheckpointError(known[0], `${known[1]}: ${path}`, { place: { file: path }, cause: error });
  return CheckpointError.from(error).at({ file: path });
}
