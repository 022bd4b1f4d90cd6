import type { ChangedGroup } from '../../../shared/model/checkpoint';
import { formatShape } from '../../../shared/model/shape';

export interface GroupFilter {
  readonly text: string;
  readonly changedOnly: boolean;
}

/**
 * Groups that fit: every word of the text stands in the name (of a renamed group: in either), or begins the dtype, update type or kind of change; words may come in any order.
 * The shape fits as it is shown (`64×3`) or as Python writes it (`64,3`).
 */
export function filterGroups(groups: readonly ChangedGroup[], { text, changedOnly }: GroupFilter): readonly ChangedGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0 && !changedOnly) return groups;
  return groups.filter((entry) => (!changedOnly || entry.change !== 'unchanged') && words.every((word) => fits(entry, word)));
}

function fits({ change, group, from }: ChangedGroup, word: string): boolean {
  if (group.name.toLowerCase().includes(word) || from?.toLowerCase().includes(word) === true) return true;
  if (group.dtype.startsWith(word) || change.startsWith(word) || (group.updateType ?? '').toLowerCase().startsWith(word)) return true;
  if (group.error !== null && 'error'.startsWith(word)) return true;
  return /^\d+[×x,]\d/.test(word) && formatShape(group.shape).replaceAll(' × ', ',').startsWith(word.replaceAll(/[×x]/g, ','));
}
