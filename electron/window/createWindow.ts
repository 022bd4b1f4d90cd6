import { BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, screen } from 'electron';
import { APP_URL } from './appUrl';
import { askBeforeUnload } from './askBeforeUnload';
import { watchRenderer } from './watchRenderer';
import { DEFAULT_SIZE, MINIMUM_SIZE, usableBounds, type WindowState } from './windowState';

export interface CreateWindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly developerTools: boolean;
  readonly state: WindowState;
  /** Called when the window was moved, resized or closed. */
  readonly onStateChanged: (state: Pick<WindowState, 'bounds' | 'maximized'>) => void;
}

/** What a page of ours may do: nothing but what the preload script gives it. */
export function webPreferences({
  preload,
  developerTools,
}: Pick<CreateWindowOptions, 'preload' | 'developerTools'>): BrowserWindowConstructorOptions['webPreferences'] {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: developerTools,
  };
}

/** Background before the page has drawn; the same as the page's, so that nothing flashes. */
function backgroundColor(dark: boolean): string {
  return dark ? '#111113' : '#fcfcfd';
}

/** Opens the window where it was, on a display that is there, and shows it when there is something to see. */
export function createWindow(options: CreateWindowOptions): BrowserWindow {
  const bounds = usableBounds(
    options.state.bounds,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...(bounds ?? DEFAULT_SIZE),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    title: 'Theta Desktop',
    icon: options.icon,
    backgroundColor: backgroundColor(nativeTheme.shouldUseDarkColors),
    webPreferences: webPreferences(options) ?? {},
  });
  if (options.state.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());

  const followTheme = () => window.setBackgroundColor(backgroundColor(nativeTheme.shouldUseDarkColors));
  nativeTheme.on('updated', followTheme);
  const remember = () => options.onStateChanged({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  window.on('close', remember);
  window.on('closed', () => nativeTheme.off('updated', followTheme));

  watchRenderer(window);
  askBeforeUnload(window);
  void window.loadURL(APP_URL);
  return window;
}
