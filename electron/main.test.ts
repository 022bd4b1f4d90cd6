import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IPC_CHANNEL } from '../shared/contract/transport';
import { FakeContents } from './window/testing/fakeContents';

/** The order in which the app did what has to be done in order. */
const steps: string[] = [];

class FakeWindow extends EventEmitter {
  static readonly all: FakeWindow[] = [];
  readonly webContents = new FakeContents();
  readonly options: Record<string, unknown>;
  readonly loaded: string[] = [];
  focused = 0;
  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    FakeWindow.all.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url: string) {
    steps.push('load');
    this.loaded.push(url);
  }
  isMinimized = () => true;
  restore() {}
  maximize() {}
  show() {}
  isMaximized = () => true;
  isDestroyed = () => false;
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 600 });
  setBackgroundColor() {}
  focus() {
    this.focused++;
  }
}

const paths = new Map<string, string>();
const app = Object.assign(new EventEmitter(), {
  isPackaged: true,
  enableSandbox: () => void steps.push('sandbox'),
  setPath: (name: string, path: string) => void paths.set(name, path),
  getPath: (name: string) => paths.get(name) ?? '/nowhere',
  requestSingleInstanceLock: vi.fn((_data: unknown) => {
    steps.push('lock');
    return true;
  }),
  whenReady: async () => void steps.push('ready'),
  quit: vi.fn(),
  exit: vi.fn(),
});
const session = Object.assign(new EventEmitter(), {
  setPermissionRequestHandler: () => void steps.push('permissions'),
  setPermissionCheckHandler: () => undefined,
  setDevicePermissionHandler: () => undefined,
  setSpellCheckerEnabled: () => undefined,
  webRequest: { onBeforeRequest: () => undefined },
  protocol: { handle: () => void steps.push('protocol') },
});
vi.mock('electron', () => ({
  app,
  BrowserWindow: FakeWindow,
  Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: () => void steps.push('menu') },
  dialog: { showErrorBox: (title: string, text: string) => steps.push(`${title}: ${text}`), showMessageBox: async () => ({ response: 1 }) },
  nativeTheme: Object.assign(new EventEmitter(), { shouldUseDarkColors: true, themeSource: 'system' }),
  protocol: { registerSchemesAsPrivileged: () => void steps.push('scheme') },
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
  session: { defaultSession: session },
  shell: { openExternal: async () => undefined },
}));

let folder: string;
const argv = process.argv;
const window = () => FakeWindow.all.at(-1) ?? expect.fail('there is no window');
const say = (frame: unknown) => window().webContents.ipc.emit(IPC_CHANNEL, { senderFrame: window().webContents.mainFrame }, frame);
const sent = () => window().webContents.sent.map(({ frame }) => frame);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-main-'));
  vi.stubEnv('THETA_DATA', folder);
  process.argv = ['/opt/theta/theta-desktop', '--some-switch', 'models'];
  await import('./main');
  await vi.waitFor(() => expect(FakeWindow.all).toHaveLength(1));
});
afterAll(async () => {
  app.emit('will-quit', { preventDefault: () => undefined });
  process.argv = argv;
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('the desktop', () => {
  it('secures itself before there is a window', () => {
    expect(steps).toEqual(['sandbox', 'scheme', 'lock', 'ready', 'permissions', 'protocol', 'menu', 'load']);
    expect(window().loaded).toEqual(['app://theta/']);
    expect(window().options).toMatchObject({ show: false, webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, devTools: false } });
    expect(window().webContents.windowOpenHandler).not.toBeNull();
  });

  it('gives its page what was asked for on the command line', async () => {
    say({ kind: 'call', id: 1, method: 'app/describe', input: {} });
    await expect.poll(sent).toContainEqual(
      expect.objectContaining({
        id: 1,
        output: expect.objectContaining({ host: 'desktop', canUseNativeDialogs: true, canReveal: true, initialFolder: resolve('models') }),
      }),
    );
  });

  it('tells a second instance apart and opens what it was asked for', () => {
    expect(app.requestSingleInstanceLock).toHaveBeenCalledWith({ path: resolve('models') });
    app.emit('second-instance', {}, ['/opt/theta/theta-desktop', '/ignored'], '/', { path: '/data/other' });
    expect(sent()).toContainEqual({ kind: 'event', name: 'open/path', data: { path: '/data/other' } });
    expect(window().focused).toBeGreaterThan(1);
  });

  it.each([null, undefined, 'x', { path: 5 }])('ignores %j from a second instance, but comes to the front', (data) => {
    const before = [sent().length, window().focused];
    app.emit('second-instance', {}, [], '/', data);
    expect([sent().length, window().focused - 1]).toEqual(before);
  });

  it('opens files from the dock', () => {
    const preventDefault = vi.fn();
    app.emit('open-file', { preventDefault }, '/data/model.safetensors');
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(sent()).toContainEqual({ kind: 'event', name: 'open/path', data: { path: '/data/model.safetensors' } });
  });

  it('remembers its window and makes a new one when the last was closed', async () => {
    const first = window();
    first.emit('close');
    first.emit('closed');
    const state: unknown = JSON.parse(await readFile(join(folder, 'window', 'window-state.json'), 'utf8'));
    expect(state).toEqual({ bounds: { x: 10, y: 20, width: 900, height: 600 }, maximized: true, theme: 'system' });
    app.emit('activate');
    expect(FakeWindow.all).toHaveLength(2);
    expect(window().options).toMatchObject({ x: 10, y: 20, width: 900, height: 600 });
  });

  it('loads its page again when that crashed, once', () => {
    const { webContents } = window();
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
    expect(webContents.reloads).toBe(1);
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
    expect(webContents.reloads).toBe(1);
  });

  it('keeps everything under the data folder that it was given', async () => {
    expect(paths.get('userData')).toBe(join(folder, 'window'));
    expect((await stat(join(folder, 'window'))).isDirectory()).toBe(true);
  });
});
