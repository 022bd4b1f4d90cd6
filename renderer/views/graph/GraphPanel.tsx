import type { ReactNode } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { useStore, useStores } from '../../state/storesContext';
import { GroupPanel } from './GroupPanel';
import { ModelPanel } from './ModelPanel';
import { NodePanel } from './NodePanel';
import { ValuePanel } from './ValuePanel';

export interface PanelProps {
  readonly view: GraphView;
  /** Statistics, histogram and heat map of a parameter group at the selected version. */
  readonly renderTensor: (group: string) => ReactNode;
  /** Asks for another name of an initializer. */
  readonly onRename?: (initializer: number) => void;
}

/** All that is known of what is chosen; of the model when nothing is. */
export function GraphPanel(props: PanelProps) {
  const { graph } = useStores();
  const selection = useStore(graph, (state) => state.selection);
  switch (selection?.kind) {
    case 'node':
      return <NodePanel key={selection.ref} {...props} node={selection.ref} />;
    case 'group':
      return <GroupPanel view={props.view} group={selection.ref} />;
    case 'value':
      return <ValuePanel key={selection.ref} {...props} value={selection.ref} />;
    case undefined:
      return <ModelPanel view={props.view} />;
  }
}
