import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { ErrorCode } from '../../../shared/contract/errors';
import type { ChangedGroup, GroupChange } from '../../../shared/model/checkpoint';
import { formatShape } from '../../../shared/model/shape';
import type { ModuleTotals } from '../../charts/treeRows';
import { updateLook } from '../../components/updateLook';

export const CHANGE_WORDS: { readonly [K in GroupChange]: string } = {
  added: 'Added',
  removed: 'Removed',
  renamed: 'Renamed',
  modified: 'Modified',
  unchanged: 'Unchanged',
};

/** Why a group cannot be read, in one word for its row; the sentence is in the title and in the detail. */
export function errorWord(code: ErrorCode): string {
  switch (code) {
    case 'missing-object':
      return 'Missing';
    case 'corrupt-object':
      return 'Corrupt';
    case 'truncated':
      return 'Truncated';
    case 'unsupported-format':
      return 'Unsupported';
    default:
      return 'Error';
  }
}

/** Glyph that shows a change: what was modified wears the update type that did it. */
export function changeGlyph({ change, group }: ChangedGroup): string {
  return change === 'modified' ? (group.updateType ?? 'replaced') : change;
}

/** A change in words: `Modified`, `Renamed from onnx::Conv_32`. */
export function changeSentence({ change, from }: Pick<ChangedGroup, 'change' | 'from'>): string {
  return from === undefined ? CHANGE_WORDS[change] : `${CHANGE_WORDS[change]} from ${from === '' ? '(no name)' : from}`;
}

/** A row in words, for its accessible name: `encoder.conv.weight, modified, sparse, float32, 64 × 3, 768 B`. */
export function describeGroup(entry: ChangedGroup): string {
  const { group } = entry;
  const [initial = '', ...rest] = changeSentence(entry);
  const parts = [group.name === '' ? '(no name)' : group.name, initial.toLowerCase() + rest.join('')];
  if (group.updateType !== null) parts.push(updateLook(group.updateType).label.toLowerCase());
  parts.push(group.dtype, formatShape(group.shape), formatBytes(group.bytes));
  if (group.tiedTo !== null) parts.push(`tied to ${group.tiedTo}`);
  if (group.error !== null) parts.push(`error: ${group.error.message}`);
  return parts.join(', ');
}

/** Number of changed groups of a module or checkpoint: `3 of 18 changed`, with those that have a new name or are gone: `1 renamed, 2 removed`. */
export function describeChanges(totals: ModuleTotals): string {
  const { added, modified, removed, renamed } = totals.changes;
  const changed = added + modified;
  const parts: string[] = [];
  if (changed > 0) parts.push(`${formatCount(changed)} of ${formatCount(totals.groups)} changed`);
  if (renamed > 0) parts.push(`${formatCount(renamed)} renamed`);
  if (removed > 0) parts.push(`${formatCount(removed)} removed`);
  return parts.join(', ');
}

/** `3 of 18 groups changed; stored 2.10 kB of 52.0 kB`. @param options `storedBytes` is `null` for a plain file, which is stored as a whole */
export function summarise(totals: ModuleTotals, options: { readonly hasParent: boolean; readonly storedBytes: number | null }): string {
  const { added, modified, removed, renamed } = totals.changes;
  const groups = `${formatCount(totals.groups)} ${totals.groups === 1 ? 'group' : 'groups'}`;
  const changed = added + modified;
  const first = !options.hasParent
    ? `First version, ${groups}`
    : changed + removed + renamed === 0
      ? `None of ${groups} changed`
      : [
          `${formatCount(changed)} of ${groups} changed`,
          ...(renamed > 0 ? [`${formatCount(renamed)} renamed`] : []),
          ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
        ].join(', ');
  const full = formatBytes(totals.bytes);
  return options.storedBytes === null ? `${first}; ${full}` : `${first}; stored ${formatBytes(options.storedBytes)} of ${full}`;
}

/** Bytes that this commit itself had to store: those of the groups that it added or modified, or renamed without keeping their objects. */
export function newBytes(groups: readonly ChangedGroup[]): number {
  const isStored = ({ change, keepsObject }: ChangedGroup) => change === 'added' || change === 'modified' || (change === 'renamed' && keepsObject === false);
  return groups.reduce((sum, entry) => (isStored(entry) ? sum + entry.group.storedBytes : sum), 0);
}
