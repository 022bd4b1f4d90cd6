import { useMemo } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { NO_VALUE } from '../../../shared/model/graph';
import { ValueReaders } from '../../charts/graphScene';
import { useStores } from '../../state/storesContext';
import styles from './GraphPanel.module.css';
import { Facts, PanelFrame, PanelSection } from './PanelParts';
import type { PanelProps } from './panelProps';
import { Tensors } from './Tensors';

const MOST_READERS = 50;

/** An input, an output, or a value whose edges are not drawn: its type, what makes it, who reads it. */
export function ValuePanel({ value, ...props }: PanelProps & { readonly value: number }) {
  const { view } = props;
  const { graph } = useStores();
  const readers = useMemo(() => new ValueReaders(view), [view]);
  const role = view.values.role[value] ?? 0;
  const initializer = view.values.initializer[value] ?? NO_VALUE;
  const producer = view.values.producer[value] ?? NO_VALUE;
  const users = readers.of(value);
  const goTo = (node: number) => graph.getState().goTo({ kind: 'node', ref: node });
  const kinds = [(role & 1) !== 0 ? 'input of its graph' : '', (role & 2) !== 0 ? 'output of its graph' : '', initializer !== NO_VALUE ? 'initializer' : ''];
  return (
    <PanelFrame label="Value" title={view.values.names[value] || '(no name)'} name="" onClose={() => graph.getState().select(null)}>
      <div className={styles.section}>
        <Facts
          facts={[
            { name: 'Kind', value: kinds.filter((kind) => kind !== '').join(', ') || 'result of an operator' },
            { name: 'Type', value: view.values.types[value] || 'not known', isMono: true },
            { name: 'Graph', value: view.scopes[view.values.scope[value] ?? 0]?.path ?? '', isMono: true },
          ]}
        />
      </div>
      {producer === NO_VALUE ? null : (
        <PanelSection title="Made by">
          <NodeButton view={view} node={producer} onPress={goTo} />
        </PanelSection>
      )}
      {users.length === 0 ? null : (
        <PanelSection title="Read by" count={formatCount(users.length)}>
          {users.slice(0, MOST_READERS).map((node) => (
            <NodeButton key={node} view={view} node={node} onPress={goTo} />
          ))}
          {users.length > MOST_READERS ? <p className={styles.quiet}>and {formatCount(users.length - MOST_READERS)} more</p> : null}
        </PanelSection>
      )}
      <Tensors {...props} initializers={initializer === NO_VALUE ? [] : [initializer]} />
    </PanelFrame>
  );
}

function NodeButton({ view, node, onPress }: { readonly view: PanelProps['view']; readonly node: number; readonly onPress: (node: number) => void }) {
  const operator = view.operators[view.nodes.operator[node] ?? -1] ?? '';
  return (
    <button type="button" className={styles.port} onClick={() => onPress(node)}>
      <bdi>{view.nodes.names[node] || operator}</bdi>
      <span className={styles.quiet}>{operator}</span>
    </button>
  );
}
