import { useMemo } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphView, GroupKind } from '../../../shared/model/graph';
import { shortCount } from '../../../shared/model/graphBoxes';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { groupsInside } from '../../state/graphPlaces';
import { useStore, useStores } from '../../state/storesContext';
import styles from './GraphPanel.module.css';
import { graphText } from './graphText';
import { Facts, PanelFrame, PanelSection } from './PanelParts';

const KINDS: { readonly [K in GroupKind]: string } = {
  root: 'The whole graph',
  module: 'Module, by the names of its operators',
  function: 'Function of the model',
  subgraph: 'Body of an operator',
  values: 'Module, by the names of its values',
  run: 'A stretch of a long graph',
};

/** A group: how much is in it, and of what kind. */
export function GroupPanel({ view, group }: { readonly view: GraphView; readonly group: number }) {
  const { graph } = useStores();
  const isOpen = useStore(graph, (state) => state.open.has(group));
  const described = view.groups[group];
  const inside = useMemo(() => nodesInside(view, group), [view, group]);
  const operators = useMemo(() => countOperators(view, inside), [view, inside]);
  if (described === undefined) return null;
  const { kind, label, path, nodes, parameters, flops, scope } = described;
  return (
    <PanelFrame label="Group" title={label || path || 'Main graph'} name={path} onClose={() => graph.getState().select(null)}>
      <div className={styles.section}>
        <Facts
          facts={[
            { name: 'Kind', value: KINDS[kind] },
            { name: 'Operators', value: formatCount(nodes) },
            { name: 'Parameters', value: <span title={formatCount(parameters)}>{shortCount(parameters)}</span> },
            { name: 'FLOPs', value: flops === null ? 'not known' : <span title={formatCount(flops)}>{shortCount(flops)}</span> },
            { name: 'Graph', value: view.scopes[scope]?.path ?? '', isMono: true },
          ]}
        />
        <div className={styles.actions}>
          <Button onClick={() => graph.getState().toggle(group)}>{isOpen ? 'Close the group' : 'Open the group'}</Button>
          <Button onClick={() => graph.getState().toggle(group, { within: true })}>{isOpen ? 'Close all inside' : 'Open all inside'}</Button>
        </div>
      </div>
      <PanelSection
        title="Operators inside"
        count={formatCount(operators.length)}
        action={<CopyButton label="Copy group as text" text={() => graphText(view, inside)} />}
      >
        <Facts facts={operators.map(({ operator, count }) => ({ name: operator, value: formatCount(count), isMono: true }))} />
      </PanelSection>
    </PanelFrame>
  );
}

function nodesInside(view: GraphView, group: number): readonly number[] {
  const groups = new Set(groupsInside(view, group));
  const nodes: number[] = [];
  view.nodes.group.forEach((own, node) => {
    if (groups.has(own)) nodes.push(node);
  });
  return nodes;
}

/** Kinds of operators, the most frequent first. */
function countOperators(view: GraphView, nodes: readonly number[]): readonly { readonly operator: string; readonly count: number }[] {
  const counts = new Map<number, number>();
  for (const node of nodes) {
    const operator = view.nodes.operator[node] ?? -1;
    counts.set(operator, (counts.get(operator) ?? 0) + 1);
  }
  return [...counts]
    .map(([operator, count]) => ({ operator: view.operators[operator] ?? '', count }))
    .sort((a, b) => b.count - a.count || (a.operator < b.operator ? -1 : 1));
}
