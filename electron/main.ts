import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, nativeTheme, session, shell } from 'electron';
import { createHost, type Host } from './host';
import { programVersion, resourcePath } from './resources';
import { attachTransport, type ElectronTransport } from './transport/electronTransport';
import { registerAppScheme, serveApp } from './window/appProtocol';
import { isAppUrl, isExternalUrl } from './window/appUrl';
import { createWindow } from './window/createWindow';
import { nativeDialogs } from './window/dialogs';
import { menuTemplate } from './window/menu';
import { openedPath } from './window/openedPath';
import { secureContents } from './window/secureContents';
import { secureSession } from './window/secureSession';
import { readWindowState, type Theme, writeWindowState } from './window/windowState';

/** The desktop: one app, one window, one set of services. */
interface Desktop {
  readonly host: Host;
  window: BrowserWindow | null;
  transport: ElectronTransport | null;
}

const place = { packaged: app.isPackaged, folder: process.cwd() };
let asked = openedPath(process.argv, place);
let desktop: Desktop | null = null;

// Tests and portable set-ups keep everything in one folder.
if (process.env.THETA_DATA) app.setPath('userData', join(process.env.THETA_DATA, 'window'));
const stateFile = join(app.getPath('userData'), 'window-state.json');
let state = readWindowState(stateFile);

function remember(change: Partial<typeof state>): void {
  state = { ...state, ...change };
  writeWindowState(stateFile, state);
}

/** Opens a path in the window that is there, or in one that is made for it. */
function open(path: string | null): void {
  if (desktop === null) {
    asked = path ?? asked;
    return;
  }
  const window = showWindow(desktop);
  if (window.isMinimized()) window.restore();
  window.focus();
  if (path !== null) desktop.transport?.emit({ name: 'open/path', data: { path } });
}

function showWindow(current: Desktop): BrowserWindow {
  if (current.window !== null) return current.window;
  const window = createWindow({
    preload: resourcePath('dist/preload/preload.cjs'),
    icon: resourcePath('assets/icons/icon.png'),
    developerTools: !app.isPackaged,
    state,
    onStateChanged: remember,
  });
  const transport = attachTransport(window.webContents, { ...current.host, isOwnUrl: isAppUrl });
  current.window = window;
  current.transport = transport;
  window.on('closed', () => {
    transport.dispose();
    current.window = null;
    current.transport = null;
  });
  return window;
}

function setTheme(theme: Theme): void {
  nativeTheme.themeSource = theme;
  remember({ theme });
  runCommand(`theme.${theme}`);
}

function runCommand(command: string): void {
  open(null);
  desktop?.transport?.emit({ name: 'menu/command', data: { command } });
}

function setMenu(): void {
  const template = menuTemplate({
    platform: process.platform,
    developer: !app.isPackaged,
    theme: state.theme,
    command: runCommand,
    setTheme,
    openLink: (url) => {
      if (isExternalUrl(url)) shell.openExternal(url).catch(() => undefined);
    },
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

async function start(): Promise<void> {
  await app.whenReady();
  nativeTheme.themeSource = state.theme;
  secureSession(session.defaultSession);
  serveApp(session.defaultSession, resourcePath('dist/renderer'));
  const host = createHost({ kind: 'desktop', version: programVersion(), initialFolder: asked, homeFolder: homedir(), ...nativeDialogs });
  desktop = { host, window: null, transport: null };
  setMenu();
  open(null);
}

let ending = false;
app.on('will-quit', (event) => {
  if (ending || desktop === null) return;
  // What runs is cancelled and cleans up after itself before the process goes.
  event.preventDefault();
  ending = true;
  void desktop.host.dispose().finally(() => app.quit());
});
app.on('window-all-closed', () => {
  if (process.platform !== 'darwin') app.quit();
});
app.on('activate', () => open(null));
app.on('open-file', (event, path) => {
  event.preventDefault();
  open(path);
});
app.on('second-instance', (_event, _argv, _folder, data) => {
  const path: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'path') : null;
  open(typeof path === 'string' ? path : null);
});
app.on('web-contents-created', (_event, contents) => secureContents(contents));

app.enableSandbox();
registerAppScheme();
if (app.requestSingleInstanceLock({ path: asked })) {
  start().catch((error: unknown) => {
    dialog.showErrorBox('Theta Desktop cannot start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  });
} else {
  app.quit();
}
