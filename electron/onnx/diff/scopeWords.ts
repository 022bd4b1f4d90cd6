import type { GraphView } from '../../../shared/model/graph';
import { bodyAttribute } from '../scopes/bodyAttribute';

/** Graphs around that are named: in a hostile model there are hundreds. */
const MOST_NAMED = 3;

/** Where in a model something is, for the end of a line: `, in then_branch of If /cond/If`, `, in function domain.name`; empty for the main graph. */
export function scopeWords(view: GraphView, scope: number): string {
  const parts: string[] = [];
  for (let at = scope; parts.length < MOST_NAMED; ) {
    const { kind, path, name, parent } = view.scopes[at] ?? { kind: 'main', path: '', name: '', parent: null };
    if (kind === 'function') parts.push(`function ${path.replace(/^fn:/, '') || name}`);
    if (kind !== 'subgraph' || parent === null) break;
    const operator = view.operators[view.nodes.operator[parent.node] ?? -1] ?? 'node';
    const holder = view.nodes.names[parent.node] ?? '';
    parts.push(`${bodyAttribute(path)} of ${holder === '' ? `${operator} (node ${(view.nodes.index[parent.node] ?? 0) + 1})` : `${operator} ${holder}`}`);
    at = parent.scope;
  }
  return parts.map((part) => `, in ${part}`).join('');
}
