import { hasUnsavedEdits } from '../state/graphStore';
import { latest } from '../state/loadable';
import type { Shell } from '../state/storesContext';

/** Commands that edit the graph which is looked at. */
export function registerGraphEditCommands({ stores }: Shell): void {
  const { workspace, graph, graphEdit, graphSave, commands } = stores;
  const { register } = commands.getState();
  const opened = () => (workspace.getState().view === 'graph' ? latest(graph.getState().graph) : undefined);
  const section = 'Graph';
  const initializer = () => {
    const { selection } = graph.getState();
    const index = selection?.kind === 'value' ? opened()?.view.values.initializer[selection.ref] : undefined;
    return index !== undefined && opened()?.view.initializers[index] !== undefined ? index : null;
  };

  register({
    id: 'graph.names',
    title: 'Show or hide the names of the initializers',
    section,
    shortcut: 'N',
    enabled: () => opened() !== undefined,
    run: () => graphEdit.getState().openNames(!graphEdit.getState().isNamesOpen),
  });
  register({
    id: 'graph.rename',
    title: 'Rename the chosen initializer…',
    section,
    enabled: () => initializer() !== null,
    run: () => {
      const index = initializer();
      if (index !== null) graphEdit.getState().ask({ kind: 'rename', initializer: index });
    },
  });
  register({
    id: 'graph.propose',
    title: 'Propose names from a checkpoint…',
    section,
    enabled: () => opened() !== undefined,
    run: () => graphEdit.getState().ask({ kind: 'propose' }),
  });
  register({
    id: 'graph.splice',
    title: 'Add nodes of another model to the graph…',
    section,
    enabled: () => opened() !== undefined,
    run: () => graphEdit.getState().ask({ kind: 'splice', like: '' }),
  });
  register({
    id: 'graph.addInitializer',
    title: 'Add an initializer to the graph…',
    section,
    enabled: () => opened() !== undefined,
    run: () => graphEdit.getState().ask({ kind: 'add-initializer' }),
  });
  register({
    id: 'graph.source',
    title: 'Show the graph of the working tree, or of the selected commit',
    section,
    enabled: () => opened() !== undefined && latest(workspace.getState().repository)?.bare === false,
    run: () => graph.getState().setSource(graph.getState().source === 'worktree' ? 'version' : 'worktree'),
  });
  register({
    id: 'graph.save',
    title: 'Save the edited model as…',
    section,
    shortcut: 'Mod+S',
    inTextFields: true,
    enabled: () => {
      const graphNow = opened();
      return graphNow !== undefined && hasUnsavedEdits(graphNow);
    },
    run: () => graphSave.getState().open(),
  });
}
