import type { MenuItemConstructorOptions } from 'electron';
import type { Theme } from './windowState';

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  readonly developer: boolean;
  readonly theme: Theme;
  /** Runs a command of the window by its id. */
  readonly command: (id: string) => void;
  readonly setTheme: (theme: Theme) => void;
  readonly openLink: (url: string) => void;
}

const FORMAT_URL = 'https://github.com/r-three/git-theta';

/** The menu bar. Items with a command show the window's own shortcut but leave the key to it. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const mac = options.platform === 'darwin';
  const item = (label: string, id: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => options.command(id),
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  });
  const theme = (label: string, value: Theme): MenuItemConstructorOptions => ({
    label,
    type: 'radio',
    checked: options.theme === value,
    click: () => options.setTheme(value),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };

  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        item('Open folder…', 'repository.open', 'CmdOrCtrl+O'),
        item('Open the sample', 'sample.open'),
        separator,
        item('Track checkpoints…', 'track.open', 'CmdOrCtrl+I'),
        item('Commit changes…', 'track.commitChanges', 'CmdOrCtrl+Enter'),
        separator,
        item('Export version…', 'version.export', 'CmdOrCtrl+E'),
        separator,
        item('Read the repository again', 'repository.refresh'),
        item('Close the repository', 'repository.close'),
        separator,
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        separator,
        item('Search history', 'history.search'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('Command palette…', 'palette.open', 'CmdOrCtrl+K'),
        item('Show or hide the sidebar', 'sidebar.toggle', 'CmdOrCtrl+B'),
        separator,
        { label: 'Theme', submenu: [theme('System', 'system'), theme('Light', 'light'), theme('Dark', 'dark')] },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        ...(options.developer ? [separator, { role: 'forceReload' } as const, { role: 'toggleDevTools' } as const] : []),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [{ label: 'The git-theta extension', click: () => options.openLink(FORMAT_URL) }, ...(mac ? [] : [separator, { role: 'about' } as const])],
    },
  ];
}
