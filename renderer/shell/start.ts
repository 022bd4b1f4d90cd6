import { parseLink } from '../state/link';
import { latest } from '../state/loadable';
import type { Shell } from '../state/storesContext';
import { bindDrop } from './bindDrop';
import { bindFocus } from './bindFocus';
import { bindKeys } from './bindKeys';
import { bindLink } from './bindLink';
import { bindTheme } from './bindTheme';
import { bindUnsaved } from './bindUnsaved';
import { registerCompareCommands } from './compareCommands';
import { registerGraphEditCommands } from './graphEditCommands';
import { registerShellCommands } from './shellCommands';
import { registerTrackCommands } from './trackCommands';

/** Ties the stores to the window and the host, once, before the first rendering. */
export function start(shell: Shell): void {
  const { client, stores } = shell;
  const { app, workspace, commands, recent } = stores;
  bindTheme(stores.settings);
  bindKeys(commands);
  bindDrop(shell);
  bindUnsaved(stores.graphSave);
  registerGraphEditCommands(shell);
  registerShellCommands(shell);
  registerTrackCommands(shell);
  registerCompareCommands(shell);
  bindFocus(stores.worktree);
  client.on('open/path', ({ path }) => void workspace.getState().openRepository(path));
  client.on('menu/command', ({ command }) => commands.getState().run(command));
  workspace.subscribe((state) => {
    const repository = latest(state.repository);
    document.title = repository === undefined ? 'Theta Desktop' : `${repository.name} – Theta Desktop`;
  });

  const link = parseLink(window.location.hash);
  bindLink(stores);
  void recent.getState().load();
  // A link is followed while the host still introduces itself; only without one does it matter what the host was started with.
  if (link !== null) {
    // First: while something opens, the address is left as it is.
    void workspace.getState().openRepository(link.repository, link);
    stores.compare.getState().restore(link.repository, link);
    stores.graphDiff.getState().restore(link.repository, link.twoGraphs);
  }
  void app
    .getState()
    .loadHost()
    .then(() => {
      const folder = latest(app.getState().host)?.initialFolder ?? null;
      if (folder !== null && workspace.getState().repository.kind === 'idle') void workspace.getState().openRepository(folder);
    });
}
