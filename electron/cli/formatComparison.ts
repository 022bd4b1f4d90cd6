import { formatShape } from '../../shared/model/shape';
import { formatShare } from '../../shared/model/summariseComparison';
import type { SideComparison } from '../services/comparer/compareSides';
import type { ComparisonRow } from './comparisonRow';
import { formatTable, terminalText } from './terminalText';

export interface ComparisonHeader {
  readonly a: string;
  readonly b: string;
  /** `summariseComparison` of the rows. */
  readonly summary: string;
}

const COLUMNS = [
  { title: '' },
  { title: 'name' },
  { title: 'dtype' },
  { title: 'shape' },
  { title: 'max |Δ|', align: 'right' },
  { title: 'mean |Δ|', align: 'right' },
  { title: 'rel. L2', align: 'right' },
  { title: 'cosine', align: 'right' },
  { title: 'changed', align: 'right' },
  { title: '' },
] as const;

/** A comparison as text: a line for every row that is not unchanged, metadata, notes, and the sentence. Ends with a line break. */
export function formatComparison(rows: readonly ComparisonRow[], { metadata, notes }: SideComparison, { a, b, summary }: ComparisonHeader): string {
  const shown = rows.filter(({ change }) => change !== 'unchanged');
  const lines = [`A ${terminalText(a)}`, `B ${terminalText(b)}`, ''];
  if (shown.length > 0) lines.push(formatTable(COLUMNS, shown.map(cells)), '');
  if (metadata.length > 0) {
    const text = (value: string | null) => (value === null ? '(none)' : value);
    lines.push('metadata', ...metadata.map(({ key, a: old, b: now }) => terminalText(`  ${key}: ${text(old)} → ${text(now)}`)), '');
  }
  if (notes.length > 0) lines.push(...notes.map(terminalText), '');
  return `${[...lines, terminalText(summary)].join('\n')}\n`;
}

function cells({ group: { a, b, renamedBy }, change, measured, error }: ComparisonRow): string[] {
  const side = b ?? a;
  const words: string[] = [];
  if (renamedBy !== null && a !== null) words.push(`was ${a.name}${renamedBy === 'likeness' ? ' (by likeness)' : ''}`);
  if (a !== null && b !== null && a.dtype !== b.dtype) words.push(`was ${a.dtype}`);
  if (a !== null && b !== null && formatShape(a.shape) !== formatShape(b.shape)) words.push(`was ${formatShape(a.shape)}`);
  if (side !== null && side.tiedTo !== null) words.push(`tied to ${side.tiedTo}`);
  if (error !== null) words.push(`cannot be compared: ${error.message}`);
  words.push(...(measured?.structure?.words ?? []));
  const numbers = measured?.numbers ?? null;
  const number = (value: number | null | undefined) => (value == null ? '' : value === 0 ? '0' : value.toPrecision(4));
  return [
    change.toUpperCase(),
    side?.name ?? '',
    side?.dtype ?? '',
    side === null ? '' : formatShape(side.shape),
    number(numbers?.maxAbs),
    number(numbers?.meanAbs),
    number(numbers?.relativeL2),
    number(numbers?.cosine),
    numbers === null || numbers.elements === 0 ? '' : formatShare(numbers.changed / numbers.elements),
    words.join('; '),
  ];
}
