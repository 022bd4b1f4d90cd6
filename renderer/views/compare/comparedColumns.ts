import { formatCount } from '../../../shared/base/formatBytes';
import { formatShape } from '../../../shared/model/shape';
import { formatExactNumber, formatNumber } from '../../charts/formatNumber';
import type { TableValue } from '../../components/tableText';
import { elementsOf } from '../../state/comparedNumbers';
import type { JudgedRow, RollUp } from './comparedRows';
import { CHANGE_WORDS, shareText } from './describeRow';

export interface ComparedColumn {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** CSS pixels. */
  readonly width: number;
  readonly align: 'start' | 'end';
  /** Shown until the user says otherwise. */
  readonly isShown: boolean;
  /** What rows are ordered by. */
  value(row: JudgedRow): number | string | null;
  text(row: JudgedRow): string;
  /** What is shown for a module. */
  sum?(sums: RollUp): string;
}

interface NumberOptions {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly isShown?: boolean;
  readonly width?: number;
  readonly of: (numbers: NonNullable<NonNullable<JudgedRow['numbers']>['numbers']>) => number | null;
  readonly show?: (value: number) => string;
  readonly sum?: (sums: RollUp) => string;
}

function numberColumn({ id, title, hint, isShown = true, width = 74, of, show = formatNumber, sum }: NumberOptions): ComparedColumn {
  const value = (row: JudgedRow) => {
    const numbers = row.numbers?.numbers ?? null;
    return numbers === null ? null : of(numbers);
  };
  const text = (row: JudgedRow) => {
    const known = value(row);
    return known === null ? (row.numbers?.numbers == null ? '' : '–') : show(known);
  };
  return { id, title, hint, width, align: 'end', isShown, value, text, ...(sum === undefined ? {} : { sum }) };
}

/** Cosines differ in the last digits first. */
function cosineText(value: number): string {
  return value > 0.9999 && value < 1 ? `1 − ${formatNumber(1 - value, 2)}` : formatNumber(value);
}

/** What a row of a comparison is told by, after its name and its change. */
export const COMPARED_COLUMNS: readonly ComparedColumn[] = [
  {
    id: 'changed',
    title: 'Changed',
    hint: 'Share of the elements that changed by more than the tolerance',
    width: 66,
    align: 'end',
    isShown: true,
    value: ({ beyond, group }) => (beyond === null ? null : (beyond.least + beyond.most) / 2 / Math.max(1, elementsOf(group))),
    text: ({ beyond, group, change }) => (change === 'unchanged' ? '' : shareText(beyond, elementsOf(group))),
    sum: ({ beyond, elements }) => (elements === 0 ? '' : shareText(beyond, elements)),
  },
  numberColumn({
    id: 'maxAbs',
    title: 'Max |Δ|',
    hint: 'Largest difference of an element',
    of: ({ maxAbs }) => maxAbs,
    sum: ({ maxAbs }) => formatNumber(maxAbs),
  }),
  {
    id: 'structure',
    title: 'What it is',
    hint: 'What the values say about the kind of change; ordered by rank',
    width: 190,
    align: 'start',
    isShown: true,
    value: ({ numbers }) => numbers?.structure?.rank ?? null,
    text: ({ numbers }) => numbers?.error?.message ?? numbers?.structure?.words.join(', ') ?? '',
  },
  numberColumn({
    id: 'meanAbs',
    title: 'Mean |Δ|',
    hint: 'Mean size of the differences, over all elements',
    of: ({ meanAbs }) => meanAbs,
    sum: ({ sumAbs, elements }) => (elements === 0 ? '' : formatNumber(sumAbs / elements)),
  }),
  numberColumn({
    id: 'rms',
    title: 'RMS of Δ',
    hint: 'Root of the mean of the squared differences',
    isShown: false,
    of: ({ rms }) => rms,
    sum: ({ squares, elements }) => (elements === 0 ? '' : formatNumber(Math.sqrt(squares / elements))),
  }),
  numberColumn({
    id: 'norm',
    title: '‖Δ‖',
    hint: 'Euclidean norm of the difference',
    isShown: false,
    of: ({ norm }) => norm,
    sum: ({ squares }) => formatNumber(Math.sqrt(squares)),
  }),
  numberColumn({ id: 'relativeL2', title: 'Rel. L2', hint: 'Norm of the difference by the norm of A', of: ({ relativeL2 }) => relativeL2 }),
  numberColumn({ id: 'cosine', title: 'Cosine', hint: 'Cosine of the angle between A and B', width: 92, of: ({ cosine }) => cosine, show: cosineText }),
  numberColumn({
    id: 'signFlips',
    title: 'Sign flips',
    hint: 'Elements that are positive on one side and negative on the other',
    isShown: false,
    of: ({ signFlips }) => signFlips,
    show: formatCount,
    sum: ({ signFlips }) => formatCount(signFlips),
  }),
  numberColumn({
    id: 'maxUlp',
    title: 'Max ulp',
    hint: 'Largest distance in units of the last place: how many numbers of the type lie between',
    isShown: false,
    of: ({ maxUlp }) => maxUlp,
    sum: ({ maxUlp }) => (maxUlp === null ? '–' : formatNumber(maxUlp)),
  }),
  {
    id: 'dtype',
    title: 'Type',
    hint: 'Element type; of B where both sides have the group',
    width: 62,
    align: 'start',
    isShown: true,
    value: ({ group }) => (group.b ?? group.a)?.dtype ?? null,
    text: ({ group }) => (group.b ?? group.a)?.dtype ?? '',
  },
  {
    id: 'shape',
    title: 'Shape',
    hint: 'Extents of the axes; ordered by the number of elements',
    width: 104,
    align: 'start',
    isShown: true,
    value: ({ group }) => elementsOf(group),
    text: ({ group }) => formatShape((group.b ?? group.a)?.shape ?? []),
  },
];

/** Columns that are shown: what was chosen before, else those that are shown at first. @param setting ids joined by commas */
export function shownColumns(setting: unknown): readonly ComparedColumn[] {
  if (typeof setting !== 'string') return COMPARED_COLUMNS.filter(({ isShown }) => isShown);
  const chosen = new Set(setting.split(','));
  return COMPARED_COLUMNS.filter(({ id }) => chosen.has(id));
}

/** Names and values of an exported row: everything that is known, whatever is shown. */
export const EXPORTED_COLUMNS = [
  'name',
  'change',
  'renamed_from',
  'tied_to',
  'dtype_a',
  'dtype_b',
  'shape_a',
  'shape_b',
  'elements',
  'changed',
  'changed_share',
  'beyond_least',
  'beyond_most',
  'max_abs',
  'mean_abs',
  'rms',
  'norm',
  'relative_l2',
  'cosine',
  'max_relative',
  'sign_flips',
  'max_ulp',
  'not_finite',
  'rank',
  'structure',
  'error',
] as const;

export function exportedRow({ name, change, group, beyond, numbers }: JudgedRow): TableValue[] {
  const { a, b } = group;
  const measured = numbers?.numbers ?? null;
  const shape = (side: typeof a) => (side === null ? null : JSON.stringify(side.shape));
  const isRenamed = a !== null && b !== null && a.name !== b.name;
  return [
    name,
    CHANGE_WORDS[change].toLowerCase(),
    isRenamed ? a.name : null,
    (b ?? a)?.tiedTo ?? null,
    a?.dtype ?? null,
    b?.dtype ?? null,
    shape(a),
    shape(b),
    elementsOf(group),
    measured?.changed ?? (change === 'unchanged' ? 0 : null),
    measured === null ? (change === 'unchanged' ? 0 : null) : measured.changed / Math.max(1, measured.elements),
    beyond?.least ?? null,
    beyond?.most ?? null,
    measured?.maxAbs ?? null,
    measured?.meanAbs ?? null,
    measured?.rms ?? null,
    measured?.norm ?? null,
    measured?.relativeL2 ?? null,
    measured?.cosine ?? null,
    measured?.maxRelative ?? null,
    measured?.signFlips ?? null,
    measured?.maxUlp ?? null,
    measured?.notFinite ?? null,
    numbers?.structure?.rank ?? null,
    numbers?.structure?.words.join('; ') ?? null,
    numbers?.error?.message ?? a?.error?.message ?? b?.error?.message ?? null,
  ];
}

/** Every digit, for the hover text. */
export function exactText(column: ComparedColumn, row: JudgedRow): string | undefined {
  const value = column.value(row);
  return typeof value === 'number' && column.align === 'end' ? formatExactNumber(value) : column.text(row) || undefined;
}
