import type { GroupConflict } from '../services/merger/mergeRequest';
import type { ConflictKind } from '../theta/mergeMetadata';
import { formatTable, terminalText } from './terminalText';

/** Groups named in a message that is not a list of its own. */
const MAX_NAMED = 20;

const CONFLICT_WORDS: Readonly<Record<ConflictKind, string>> = {
  'both-changed': 'changed on both sides',
  'both-added': 'added on both sides with different values',
  'removed-by-us': 'removed by us, changed by them',
  'removed-by-them': 'changed by us, removed by them',
  'shape-differs': 'the sides have different shapes',
  'dtype-differs': 'the sides have different element types',
};

/** `model.pt: 2 parameter groups need a decision`, and each of them; ends with a line break. */
export function describeConflicts(path: string, conflicts: readonly GroupConflict[], most: number = MAX_NAMED): string {
  const count = `${conflicts.length} parameter ${conflicts.length === 1 ? 'group needs' : 'groups need'} a decision`;
  const rows = conflicts.slice(0, most).map(({ name, kind }) => [name, CONFLICT_WORDS[kind]]);
  const [, ...lines] = formatTable([{ title: '' }, { title: '' }], rows).split('\n');
  if (conflicts.length > most) lines.push(`and ${conflicts.length - most} more`);
  return `${terminalText(path)}: ${count}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
