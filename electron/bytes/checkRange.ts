import { CheckpointError } from '../../shared/contract/errors';

/** @throws CheckpointError `truncated` when [offset, offset + length) does not lie inside `total` bytes of `file`. */
export function checkRange(offset: number, length: number, total: number, file: string): void {
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0 || offset + length > total) {
    throw new CheckpointError('truncated', `The file ends at byte ${total}, but ${length} bytes are needed from byte ${offset}.`, { place: { file, offset } });
  }
}
