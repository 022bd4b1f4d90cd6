import { Redo2, Undo2 } from 'lucide-react';
import { IconButton } from '../../components/IconButton';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';

/** Undo and redo, once something was edited. */
export function UndoButtons() {
  const { graph } = useStores();
  const opened = useStore(graph, (state) => latest(state.graph));
  const done = opened?.done.at(-1);
  const undone = opened?.undone.at(0);
  if (done === undefined && undone === undefined) return null;
  return (
    <>
      <IconButton
        label={done === undefined ? 'Nothing to undo' : `Undo: ${done}`}
        shortcut="Mod+Z"
        icon={<Undo2 size={14} aria-hidden="true" />}
        // Not disabled: the focus would fall out of the bar with the last edit.
        aria-disabled={done === undefined}
        onClick={() => (done === undefined ? undefined : void graph.getState().undo())}
      />
      <IconButton
        label={undone === undefined ? 'Nothing to do again' : `Do again: ${undone}`}
        shortcut="Mod+Shift+Z"
        icon={<Redo2 size={14} aria-hidden="true" />}
        aria-disabled={undone === undefined}
        onClick={() => (undone === undefined ? undefined : void graph.getState().redo())}
      />
    </>
  );
}
