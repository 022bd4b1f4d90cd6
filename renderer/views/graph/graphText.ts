import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { inputsOf, outputsOf } from '../../charts/graphScene';
import type { ExportTable } from '../../components/tableText';
import type { ShownLooks } from './useGraphLooks';

/** All operators, one a line, as assignments: `y = Conv(x, stem.weight)  # /stem/Conv, float32[1, 8, 8, 8]`. */
export function graphText(view: GraphView, nodes: Iterable<number> = view.nodes.names.keys()): string {
  const lines: string[] = [];
  let scope = -1;
  for (const node of nodes) {
    const own = view.nodes.scope[node] ?? 0;
    if (own !== scope) {
      scope = own;
      const { kind, name, path } = view.scopes[scope] ?? { kind: 'main', name: '', path: '' };
      lines.push(...(lines.length > 0 ? [''] : []), `# ${kind === 'main' ? 'graph' : kind} ${path === '' ? name : path}`.trimEnd());
    }
    lines.push(nodeText(view, node));
  }
  return `${lines.join('\n')}\n`;
}

function nodeText(view: GraphView, node: number): string {
  const name = (value: number) => (value === NO_VALUE ? '_' : (view.values.names[value] ?? ''));
  const outputs = [...outputsOf(view, node)];
  const inputs = [...inputsOf(view, node)].map(name).join(', ');
  const notes = [view.nodes.names[node] ?? '', ...outputs.slice(0, 1).map((value) => view.values.types[value] ?? '')].filter((note) => note !== '');
  const assignment = `${outputs.map(name).join(', ')} = ${view.operators[view.nodes.operator[node] ?? -1] ?? ''}(${inputs})`;
  return notes.length === 0 ? assignment : `${assignment}  # ${notes.join(', ')}`;
}

/** The operators with what is known of each, and the number that they are coloured by. */
export function graphTable(view: GraphView, { numbers }: ShownLooks): ExportTable {
  const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
  const join = (values: Uint32Array) => [...values].map((value) => (value === NO_VALUE ? '' : (view.values.names[value] ?? ''))).join(' ');
  return {
    columns: ['graph', 'index', 'operator', 'name', 'module', 'inputs', 'outputs', 'parameters', 'flops', ...(numbers === null ? [] : [numbers.overlay])],
    rows: Array.from(view.nodes.names, (name, node) => [
      view.scopes[view.nodes.scope[node] ?? 0]?.path ?? '',
      view.nodes.index[node] ?? 0,
      view.operators[view.nodes.operator[node] ?? -1] ?? '',
      name,
      view.groups[view.nodes.group[node] ?? 0]?.path ?? '',
      join(inputsOf(view, node)),
      join(outputsOf(view, node)),
      view.nodes.parameters[node] ?? 0,
      known(view.nodes.flops[node]),
      ...(numbers === null ? [] : [known(numbers.found.ofNode[node])]),
    ]),
  };
}
