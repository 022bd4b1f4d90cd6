import { extname } from 'node:path';
import type { FormatId } from '../../../shared/model/checkpoint';
import { FORMATS } from '../../formats/registry';

/**
 * The checkpoint format of a git-theta version: nothing on disk says it. The file name decides where its extension is one that we know;
 * nested names exist only in flax's files among those that git-theta tracks; PyTorch is git-theta's own default.
 */
export function guessFormat(path: string, names: Iterable<readonly string[]>): FormatId {
  const extension = extname(path).toLowerCase();
  const named = FORMATS.find((format) => format.extensions.includes(extension));
  if (named !== undefined) return named.id;
  for (const keys of names) if (keys.length > 1) return 'flax';
  return 'pytorch';
}
