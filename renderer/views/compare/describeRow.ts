import { formatCount } from '../../../shared/base/formatBytes';
import type { ComparedGroup } from '../../../shared/model/comparison';
import { formatShape, sameShape } from '../../../shared/model/shape';
import { formatShare } from '../../charts/formatNumber';
import type { ShownChange } from '../../state/comparedNumbers';
import type { JudgedRow } from './comparedRows';

export const CHANGE_WORDS: Readonly<Record<ShownChange, string>> = {
  modified: 'Modified',
  added: 'Added',
  removed: 'Removed',
  renamed: 'Renamed',
  within: 'Within tolerance',
  unchanged: 'Unchanged',
  unknown: 'Not compared',
};

/** Sign of a change: what an update of that kind wears everywhere. */
export function glyphOf({ change, numbers }: JudgedRow): string {
  switch (change) {
    case 'added':
    case 'removed':
    case 'renamed':
    case 'unchanged':
      return change;
    case 'within':
      return 'unchanged';
    case 'unknown':
      return 'other';
    case 'modified': {
      const measured = numbers?.numbers ?? null;
      if (measured === null) return 'dense';
      // Another element type, equal values.
      if (measured.changed === 0) return 'replaced';
      if (numbers?.structure?.scaling != null) return 'ia3';
      // A full rank is no news; the words say it only of a low one.
      if (numbers?.structure?.words.some((word) => /^a rank-\d/.test(word)) === true) return 'low-rank';
      return measured.changed * 2 < measured.elements ? 'sparse' : 'dense';
    }
  }
}

/** How two sides differ besides their values, each in words: other type, other shape, another name, shared storage. */
export function differenceWords({ a, b }: ComparedGroup): string[] {
  const words: string[] = [];
  if (a !== null && b !== null) {
    if (a.name !== b.name) words.push(`from ${a.name}`);
    if (a.dtype !== b.dtype) words.push(`was ${a.dtype}`);
    if (!sameShape(a.shape, b.shape)) words.push(`was ${formatShape(a.shape)}`);
  }
  const tied = b === null ? (a?.tiedTo ?? null) : b.tiedTo;
  if (tied !== null) words.push(`tied to ${tied}`);
  return words;
}

/** Elements beyond the tolerance as a share, with ≈ where only bounds are known. */
export function shareText(beyond: { readonly least: number; readonly most: number } | null, elements: number): string {
  if (beyond === null || elements === 0) return beyond === null ? '' : '–';
  if (beyond.least === beyond.most) return formatShare(beyond.least / elements);
  return `≈ ${formatShare((beyond.least + beyond.most) / 2 / elements)}`;
}

/** The row for those who hear it. */
export function describeRow(row: JudgedRow): string {
  const { group, change, beyond, numbers } = row;
  const side = group.b ?? group.a;
  const error = group.b?.error ?? group.a?.error ?? numbers?.error ?? null;
  const parts = [
    row.name === '' ? '(no name)' : row.name,
    error === null ? CHANGE_WORDS[change] : `cannot be compared: ${error.message}`,
    ...differenceWords(group),
    side?.dtype ?? '',
    formatShape(side?.shape ?? []),
  ];
  if (beyond !== null && beyond.most > 0 && numbers?.numbers != null) {
    parts.push(
      `${beyond.least === beyond.most ? '' : 'about '}${formatCount(Math.round((beyond.least + beyond.most) / 2))} of ${formatCount(numbers.numbers.elements)} elements changed`,
    );
  }
  parts.push(...(numbers?.structure?.words ?? []));
  return parts.filter((part) => part !== '').join(', ');
}
