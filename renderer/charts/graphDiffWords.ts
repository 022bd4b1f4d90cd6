import { formatCount } from '../../shared/base/formatBytes';
import type { GraphChange, GraphChangeKind } from '../../shared/model/graphEdit';
import type { ChangeCounts } from './graphDiff';

/** Signs of changes, the same as in the text form. */
export const CHANGE_GLYPHS: Readonly<Record<GraphChangeKind, string>> = { added: '+', removed: '−', changed: '~', renamed: '→', moved: '↕', value: '≠' };
export const CHANGE_WORDS: Readonly<Record<GraphChangeKind, string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  renamed: 'renamed',
  moved: 'moved',
  value: 'other values',
};
export const WHAT_WORDS: Readonly<Record<GraphChange['what'], string>> = {
  node: 'operator',
  initializer: 'initializer',
  input: 'input',
  output: 'output',
  model: 'model',
};

const KINDS = ['added', 'removed', 'changed', 'renamed', 'moved', 'value'] as const;

/** `3 operators added, 1 changed, 8 initializers with other values.` */
export function diffSentence(changes: readonly GraphChange[]): string {
  if (changes.length === 0) return 'The models are equal: operators, initializers and their values.';
  const parts: string[] = [];
  for (const what of ['node', 'initializer', 'input', 'output'] as const) {
    let isNamed = false;
    for (const kind of KINDS) {
      const count = changes.filter((change) => change.what === what && change.change === kind).length;
      if (count === 0) continue;
      const noun = isNamed ? '' : ` ${WHAT_WORDS[what]}${count === 1 ? '' : 's'}`;
      parts.push(`${formatCount(count)}${noun} ${kind === 'value' ? 'with other values' : CHANGE_WORDS[kind]}`);
      isNamed = true;
    }
  }
  const facts = changes.filter(({ what }) => what === 'model').length;
  if (facts > 0) parts.push(`${formatCount(facts)} ${facts === 1 ? 'property' : 'properties'} of the model changed`);
  return `${parts.join(', ')}.`;
}

/** In the corner of a folded group: `≠8` where all changes are of one kind, else `Δ15`; empty for none. */
export function groupMark(counts: ChangeCounts): string {
  const [first, ...others] = KINDS.filter((kind) => counts[kind] !== undefined);
  if (first === undefined) return '';
  const total = KINDS.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  return `${others.length === 0 ? CHANGE_GLYPHS[first] : 'Δ'}${formatCount(total)}`;
}

/** `3 added, 8 with other values inside`; empty for none. */
export function groupSentence(counts: ChangeCounts): string {
  const parts = KINDS.flatMap((kind) => {
    const count = counts[kind];
    return count === undefined ? [] : [`${formatCount(count)} ${kind === 'value' ? 'with other values' : CHANGE_WORDS[kind]}`];
  });
  return parts.length === 0 ? '' : `${parts.join(', ')} inside`;
}

export interface ChangeFilter {
  readonly text: string;
  /** One kind, or all. */
  readonly kind: GraphChangeKind | 'all';
}

/** Places of the changes that a filter leaves, in their order. */
export function filterChanges(changes: readonly GraphChange[], order: readonly number[], { text, kind }: ChangeFilter): number[] {
  const words = text.trim().toLowerCase();
  return order.filter((index) => {
    const change = changes[index];
    if (change === undefined || (kind !== 'all' && change.change !== kind)) return false;
    return words === '' || `${WHAT_WORDS[change.what]} ${change.text}`.toLowerCase().includes(words);
  });
}
