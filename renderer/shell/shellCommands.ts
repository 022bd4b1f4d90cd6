import { CheckpointError } from '../../shared/contract/errors';
import { latest } from '../state/loadable';
import type { Theme } from '../state/settingsStore';
import type { Shell } from '../state/storesContext';
import type { View } from '../state/workspaceStore';
import { cycleRegions } from './cycleRegions';

/** Name of the setting that hides the sidebar. */
export const SIDEBAR_HIDDEN = 'shell.sidebarHidden';

const THEME_TITLES: readonly (readonly [Theme, string])[] = [
  ['light', 'Use the light theme'],
  ['dark', 'Use the dark theme'],
  ['system', 'Use the theme of the system'],
];

/** The views of an opened repository as they are called in the toolbar and the palette. */
export const VIEW_CHOICES: readonly { readonly view: View; readonly label: string; readonly title: string; readonly shortcut: string }[] = [
  { view: 'history', label: 'History', title: 'Show the history', shortcut: 'Mod+1' },
  { view: 'parameters', label: 'Parameters', title: 'Show the parameters over all versions', shortcut: 'Mod+2' },
  { view: 'compare', label: 'Compare', title: 'Compare two versions', shortcut: 'Mod+3' },
  { view: 'graph', label: 'Graph', title: 'Show the computation graph', shortcut: 'Mod+4' },
];

/** What the shell itself can do. Views register theirs when they are mounted. */
export function registerShellCommands(shell: Shell): void {
  const { app, workspace, settings, commands } = shell.stores;
  const { register } = commands.getState();
  const repository = () => latest(workspace.getState().repository);
  const isOpen = () => repository() !== undefined;

  register({
    id: 'palette.open',
    title: 'Search or run a command',
    section: 'Window',
    shortcut: 'Mod+K',
    inTextFields: true,
    inDialogs: true,
    enabled: () => app.getState().paletteOpen || document.querySelector('[role="dialog"][data-state="open"]') === null,
    run: () => app.getState().openPalette(!app.getState().paletteOpen),
  });
  register({
    id: 'repository.open',
    title: 'Open a folder',
    section: 'Repository',
    shortcut: 'Mod+O',
    inTextFields: true,
    run: () => void openFolder(shell),
  });
  register({ id: 'sample.open', title: 'Open the sample', section: 'Repository', run: () => void openSample(shell) });
  register({
    id: 'repository.refresh',
    title: 'Read the repository again',
    section: 'Repository',
    enabled: isOpen,
    run: () => void workspace.getState().refresh(),
  });
  register({
    id: 'repository.close',
    title: 'Close the repository',
    section: 'Repository',
    enabled: isOpen,
    run: () => workspace.getState().closeRepository(),
  });
  register({
    id: 'version.export',
    title: 'Export this version',
    section: 'Version',
    shortcut: 'Mod+E',
    enabled: () => workspace.getState().path !== null && workspace.getState().commit !== null,
    run: () => {
      const { path, commit, requestExport } = workspace.getState();
      if (path !== null && commit !== null) requestExport(commit, path);
    },
  });
  for (const { view, title, shortcut } of VIEW_CHOICES) {
    register({
      id: `view.${view}`,
      title,
      section: 'Window',
      shortcut,
      inTextFields: true,
      enabled: isOpen,
      run: () => workspace.getState().showView(view),
    });
  }
  register({
    id: 'sidebar.toggle',
    title: 'Show or hide the sidebar',
    section: 'Window',
    shortcut: 'Mod+B',
    enabled: isOpen,
    run: () => settings.getState().setValue(SIDEBAR_HIDDEN, settings.getState().values[SIDEBAR_HIDDEN] !== true),
  });
  register({
    id: 'region.next',
    title: 'Go to the next part of the window',
    section: 'Window',
    shortcut: 'F6',
    inTextFields: true,
    run: () => cycleRegions(1),
  });
  register({
    id: 'region.previous',
    title: 'Go to the part before',
    section: 'Window',
    shortcut: 'Shift+F6',
    inTextFields: true,
    run: () => cycleRegions(-1),
  });
  register({ id: 'help.open', title: 'Show keys and signs', section: 'Window', shortcut: '?', run: () => app.getState().openHelp(true) });
  for (const [theme, title] of THEME_TITLES) {
    register({
      id: `theme.${theme}`,
      title,
      section: 'Window',
      enabled: () => settings.getState().theme !== theme,
      run: () => settings.getState().setTheme(theme),
    });
  }
}

async function openFolder({ stores }: Shell): Promise<void> {
  const path = await stores.picker.getState().pickFolder({
    kind: 'repository',
    title: 'Open a folder',
    description: 'Folders of the machine that serves this window. Choose a git repository, or any folder inside one.',
    action: 'Open this folder',
  });
  if (path !== null) await stores.workspace.getState().openRepository(path);
}

async function openSample({ client, stores }: Shell): Promise<void> {
  const { app, workspace, notices } = stores;
  if (app.getState().preparingSample) return;
  app.setState({ preparingSample: true });
  try {
    const { path } = await client.request('sample/unpack', {});
    await workspace.getState().openRepository(path);
  } catch (error) {
    notices.getState().show({ kind: 'error', title: 'The sample could not be unpacked', error: CheckpointError.from(error) });
  } finally {
    app.setState({ preparingSample: false });
  }
}
