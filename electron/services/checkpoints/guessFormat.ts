import { extname } from 'node:path';
import type { FormatId } from '../../../shared/model/checkpoint';
import type { CheckpointFormat } from '../../formats/format';
import { FORMATS } from '../../formats/registry';

/** The format whose files usually have the extension of `path`; `null` when none has it. */
export function formatByExtension(path: string): CheckpointFormat | null {
  const extension = extname(path).toLowerCase();
  return FORMATS.find((format) => format.extensions.includes(extension)) ?? null;
}

/**
 * The checkpoint format of a git-theta version: nothing on disk says it. The file name decides where its extension is one that we know;
 * nested names exist only in flax's files among those that git-theta tracks; PyTorch is git-theta's own default.
 */
export function guessFormat(path: string, names: Iterable<readonly string[]>): FormatId {
  const named = formatByExtension(path);
  if (named !== null) return named.id;
  for (const keys of names) if (keys.length > 1) return 'flax';
  return 'pytorch';
}
