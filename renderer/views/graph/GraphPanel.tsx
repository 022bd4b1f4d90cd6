import { useStore, useStores } from '../../state/storesContext';
import { GroupPanel } from './GroupPanel';
import { ModelPanel } from './ModelPanel';
import { NodePanel } from './NodePanel';
import type { PanelProps } from './panelProps';
import { ValuePanel } from './ValuePanel';

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
