import { ListTree, Pencil, Save } from 'lucide-react';
import { useMemo } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Badge } from '../../components/Badge';
import { Button } from '../../components/Button';
import { Menu } from '../../components/Menu';
import { hasUnsavedEdits } from '../../state/graphStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './EditBar.module.css';
import { editItems } from './editItems';
import { UndoButtons } from './UndoButtons';

/** Names, edits, and where they go: the line over the graph. */
export function EditBar() {
  const { graph, graphEdit, graphSave } = useStores();
  const opened = useStore(graph, (state) => latest(state.graph));
  const selection = useStore(graph, (state) => state.selection);
  const isNamesOpen = useStore(graphEdit, (state) => state.isNamesOpen);
  const count = useStore(graphEdit, (state) => state.draft.size);
  const items = useMemo(() => (opened === undefined ? [] : editItems({ opened, selection, graphEdit })), [opened, selection, graphEdit]);
  if (opened === undefined) return null;
  const isUnsaved = hasUnsavedEdits(opened);
  const last = opened.done.at(-1);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Edits of the graph">
      <Button icon={<ListTree size={14} />} look="quiet" aria-pressed={isNamesOpen} onClick={() => graphEdit.getState().openNames(!isNamesOpen)}>
        Names
        {count === 0 ? null : <Badge tone="accent">{`${formatCount(count)} new`}</Badge>}
      </Button>
      <Menu label="Edit the graph" items={items}>
        <Button icon={<Pencil size={14} />} look="quiet">
          Edit
        </Button>
      </Menu>
      <UndoButtons />
      <span role="status" className={styles.status} title={opened.done.join('\n')}>
        {last === undefined
          ? ''
          : isUnsaved
            ? `Not saved: ${opened.done.length === 1 ? last : `${formatCount(opened.done.length)} edits, the last: ${last}`}`
            : `Saved: ${last}`}
      </span>
      {last === undefined ? null : (
        <Button icon={<Save size={14} />} look={isUnsaved ? 'primary' : 'secondary'} onClick={() => graphSave.getState().open()}>
          Save as…
        </Button>
      )}
    </div>
  );
}
