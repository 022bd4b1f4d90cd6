import type { PreviewGroup } from '../../../shared/contract/trackRequests';
import { compareNatural } from '../../charts/compareNatural';
import { updateLook } from '../../components/updateLook';

export interface PreviewFilter {
  readonly text: string;
  readonly onlyChanges: boolean;
}

/** Groups in natural order; many are compared once, not at every key stroke. */
export function sortGroups(groups: readonly PreviewGroup[]): readonly PreviewGroup[] {
  return [...groups].sort((a, b) => compareNatural(a.name, b.name));
}

/** Groups whose name or update type holds the text. */
export function filterGroups(groups: readonly PreviewGroup[], { text, onlyChanges }: PreviewFilter): readonly PreviewGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && !onlyChanges) return groups;
  return groups.filter(
    ({ name, from, change, updateType }) =>
      (!onlyChanges || change !== 'unchanged') &&
      (wanted === '' ||
        name.toLowerCase().includes(wanted) ||
        from?.toLowerCase().includes(wanted) === true ||
        updateType?.toLowerCase() === wanted ||
        change === wanted),
  );
}

export interface ChangeCount {
  /** A kind that `updateLook` knows. */
  readonly kind: string;
  readonly label: string;
  readonly groups: number;
}

/** How many groups are stored how, and how many are not stored at all: `sparse 3`, `unchanged 15`. */
export function countChanges(groups: readonly PreviewGroup[]): readonly ChangeCount[] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const kind = lookOf(group);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const order = ['added', 'renamed', 'dense', 'sparse', 'sparse-values', 'low-rank', 'ia3', 'removed', 'unchanged'];
  const place = (kind: string) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return [...counts]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([kind, count]) => ({ kind, label: kind === 'ia3' ? updateLook(kind).label : updateLook(kind).label.toLowerCase(), groups: count }));
}

/** What was modified wears the update type that stores it. */
export function lookOf({ change, updateType }: Pick<PreviewGroup, 'change' | 'updateType'>): string {
  return change === 'modified' ? (updateType ?? 'replaced') : change;
}
