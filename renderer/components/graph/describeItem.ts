import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { shortCount } from '../../../shared/model/graphBoxes';
import type { GraphItem } from '../../charts/graphScene';

/** Something of a graph in words. */
export interface ItemDescription {
  /** Operator, label of the group, name of the value. */
  readonly title: string;
  /** Whole name or path; empty where there is none. */
  readonly name: string;
  readonly facts: readonly string[];
}

export function describeItem(view: GraphView, item: GraphItem): ItemDescription {
  if (item.kind === 'node') {
    const parameters = view.nodes.parameters[item.ref] ?? 0;
    const outputs = view.nodes.outputs.subarray(view.nodes.outputStarts[item.ref], view.nodes.outputStarts[item.ref + 1]);
    const types = [...outputs].filter((value) => value !== NO_VALUE).map((value) => view.values.types[value] ?? '');
    return {
      title: view.operators[view.nodes.operator[item.ref] ?? -1] ?? 'Operator',
      name: view.nodes.names[item.ref] ?? '',
      facts: [...(parameters > 0 ? [countWords(parameters, 'parameter')] : []), ...[...new Set(types)].filter((type) => type !== '').slice(0, 2)],
    };
  }
  if (item.kind === 'group') {
    const group = view.groups[item.ref];
    if (group === undefined) return { title: 'Group', name: '', facts: [] };
    return {
      title: group.label || group.path || 'Model',
      name: group.path,
      facts: [countWords(group.nodes, 'operator'), ...(group.parameters > 0 ? [countWords(group.parameters, 'parameter')] : [])],
    };
  }
  const role = view.values.role[item.ref] ?? 0;
  const kind =
    (view.values.initializer[item.ref] ?? NO_VALUE) !== NO_VALUE ? 'initializer' : (role & 1) !== 0 ? 'input' : (role & 2) !== 0 ? 'output' : 'value';
  const type = view.values.types[item.ref] ?? '';
  return { title: view.values.names[item.ref] || '(no name)', name: '', facts: [type === '' ? kind : `${kind}, ${type}`] };
}

/** One line for readers of the screen. */
export function itemSentence(view: GraphView, item: GraphItem | null, note: string | null = null): string {
  if (item === null) return '';
  const { title, name, facts } = describeItem(view, item);
  const kind = item.kind === 'group' ? 'group' : '';
  return [`${kind} ${title}`.trim(), name === title ? '' : name, ...facts, note ?? ''].filter((part) => part !== '').join(', ');
}

export function countWords(count: number, word: string): string {
  return `${shortCount(count)} ${word}${count === 1 ? '' : 's'}`;
}
