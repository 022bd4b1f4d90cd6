/** Everything that has a look of its own wherever it appears: update types and the other kinds of change. */
export const UPDATE_LOOK_KINDS = [
  'dense',
  'sparse',
  'sparse-values',
  'low-rank',
  'ia3',
  'added',
  'removed',
  'renamed',
  'unchanged',
  'conflict',
  'replaced',
  'other',
] as const;
export type UpdateLookKind = (typeof UPDATE_LOOK_KINDS)[number];

export interface UpdateLook {
  readonly kind: UpdateLookKind;
  readonly label: string;
  /** The same as a character, for text that is copied. */
  readonly glyph: string;
  /** Outline in a 12 × 12 box, filled by the even-odd rule. Drawn, because few fonts have all of these characters. */
  readonly path: string;
  /** CSS custom properties of the hue: for text and glyphs, for bars and cells, for a background behind text. */
  readonly text: string;
  readonly fill: string;
  readonly soft: string;
}

const dot = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const square = (x: number, y = x) => `M${x - 1.3} ${y - 1.3}h2.6v2.6h-2.6z`;

const SHAPES: { readonly [K in UpdateLookKind]: readonly [glyph: string, label: string, path: string] } = {
  dense: ['■', 'Dense', 'M2 2h8v8H2z'],
  sparse: ['⁘', 'Sparse', dot(6, 2.2, 1.5) + dot(2.2, 6, 1.5) + dot(9.8, 6, 1.5) + dot(6, 9.8, 1.5)],
  'sparse-values': ['⁙', 'Sparse values', square(2.8) + square(9.2, 2.8) + square(6) + square(2.8, 9.2) + square(9.2)],
  'low-rank': ['◫', 'Low-rank', 'M1.5 1.5h9v9h-9zM2.9 2.9v6.2h2.4V2.9zM6.7 2.9v6.2h2.4V2.9z'],
  ia3: ['≡', 'IA³', 'M1.8 2.2h8.4v1.6H1.8zM1.8 5.2h8.4v1.6H1.8zM1.8 8.2h8.4v1.6H1.8z'],
  added: ['+', 'Added', 'M5.1 1.6h1.8v3.5h3.5v1.8H6.9v3.5H5.1V6.9H1.6V5.1h3.5z'],
  removed: ['−', 'Removed', 'M1.6 5.1h8.8v1.8H1.6z'],
  renamed: ['→', 'Renamed', 'M1.2 5.2h6.4L5.3 2.9l1.1-1.1L10.6 6l-4.2 4.2-1.1-1.1 2.3-2.3H1.2z'],
  unchanged: ['·', 'Unchanged', dot(6, 6, 1.5)],
  conflict: ['!', 'Conflict', 'M5 1.4h2v5.8H5zM5 8.6h2v2H5z'],
  replaced: ['◆', 'Replaced', 'M6 1.2 10.8 6 6 10.8 1.2 6z'],
  other: ['○', 'Other', dot(6, 6, 4.2) + dot(6, 6, 2.7)],
};

const LOOKS = new Map(UPDATE_LOOK_KINDS.map((kind) => [kind as string, look(kind)]));

/** How a kind of change is drawn; an update type that we do not know looks like `other` and keeps its own name. */
export function updateLook(kind: string): UpdateLook {
  return LOOKS.get(kind) ?? { ...look('other'), label: kind };
}

function look(kind: UpdateLookKind): UpdateLook {
  const [glyph, label, path] = SHAPES[kind];
  return { kind, label, glyph, path, text: `var(--update-${kind})`, fill: `var(--update-${kind}-fill)`, soft: `var(--update-${kind}-soft)` };
}
