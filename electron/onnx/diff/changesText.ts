import type { GraphChange, GraphChangeKind } from '../../../shared/model/graphEdit';

const MARKS: Readonly<Record<GraphChangeKind, string>> = { added: '+', removed: '-', changed: '~', renamed: '→', moved: '↕', value: '≠' };
const ORDER: readonly GraphChange['what'][] = ['model', 'input', 'output', 'node', 'initializer'];

/** A difference as lines of text: a mark, what it is, and what changed. */
export function changesText(changes: readonly GraphChange[]): string {
  if (changes.length === 0) return 'The models are equal.\n';
  const lines = ORDER.flatMap((what) => changes.filter((change) => change.what === what).map(({ change, text }) => `${MARKS[change]} ${what} ${text}`));
  return `${lines.join('\n')}\n`;
}
