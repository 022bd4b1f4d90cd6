import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session, WebContents } from 'electron';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeContents } from './testing/fakeContents';

const electron = vi.hoisted(() => ({
  shell: { openExternal: vi.fn(async () => undefined) },
  protocol: { registerSchemesAsPrivileged: vi.fn() },
  BrowserWindow: class {},
  dialog: {},
  nativeTheme: {},
  screen: {},
}));
vi.mock('electron', () => electron);

const { secureContents } = await import('./secureContents');
const { secureSession } = await import('./secureSession');
const { answerAppRequest, registerAppScheme } = await import('./appProtocol');
const { webPreferences } = await import('./createWindow');

beforeEach(() => void vi.clearAllMocks());

describe('a page of the desktop', () => {
  it('is sandboxed, isolated and without Node', () => {
    expect(webPreferences({ preload: '/p.cjs', developerTools: false })).toEqual({
      preload: '/p.cjs',
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
      devTools: false,
    });
  });

  const guarded = () => {
    const contents = new FakeContents();
    secureContents(contents as unknown as WebContents);
    return contents;
  };

  it.each(['https://example.org/', 'http://example.org/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'app://other/', 'about:blank', ''])(
    'cannot go to %s',
    (url) => {
      expect(guarded().prevented('will-navigate', { url })).toBe(true);
    },
  );

  it('can be loaded again', () => {
    expect(guarded().prevented('will-navigate', { url: 'app://theta/' })).toBe(false);
  });

  it('follows no redirect, loads no frame and embeds no browser', () => {
    const contents = guarded();
    expect(contents.prevented('will-redirect', { url: 'app://theta/' })).toBe(true);
    expect(contents.prevented('will-frame-navigate', { isMainFrame: false, url: 'app://theta/' })).toBe(true);
    expect(contents.prevented('will-attach-webview', {})).toBe(true);
  });

  it('opens no window, but hands https links to the system', () => {
    const contents = guarded();
    expect(contents.windowOpenHandler?.({ url: 'https://example.org/a?b#c' })).toEqual({ action: 'deny' });
    expect(electron.shell.openExternal.mock.calls).toEqual([['https://example.org/a?b#c']]);
  });

  it.each([
    'http://example.org/',
    'file:///etc/passwd',
    'smb://host/share',
    'javascript:alert(1)',
    'ms-msdt:/id',
    'https://user:pass@example.org/',
    'https://',
    'app://theta/',
    'x',
  ])('does not hand %s to the system', (url) => {
    expect(guarded().windowOpenHandler?.({ url })).toEqual({ action: 'deny' });
    expect(electron.shell.openExternal).not.toHaveBeenCalled();
  });
});

describe('the session', () => {
  function secured() {
    const handlers = new Map<string, (...values: unknown[]) => unknown>();
    const record = (name: string) => (handler: (...values: unknown[]) => unknown) => void handlers.set(name, handler);
    const session = {
      setPermissionRequestHandler: record('request'),
      setPermissionCheckHandler: record('check'),
      setDevicePermissionHandler: record('device'),
      setSpellCheckerEnabled: vi.fn(),
      webRequest: { onBeforeRequest: record('load') },
      on: (name: string, handler: (...values: unknown[]) => unknown) => void handlers.set(name, handler),
    };
    secureSession(session as unknown as Session);
    return { handlers, session };
  }

  it.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'clipboard-sanitized-write', 'openExternal', 'usb', 'fullscreen', 'display-capture'])(
    'denies %s',
    (permission) => {
      const { handlers } = secured();
      const decide = vi.fn();
      handlers.get('request')?.({}, permission, decide, {});
      expect(decide.mock.calls).toEqual([[false]]);
      expect(handlers.get('check')?.({}, permission, 'app://theta', {})).toBe(false);
      expect(handlers.get('device')?.({ deviceType: permission })).toBe(false);
    },
  );

  it.each([
    ['app://theta/assets/a.js', false],
    ['blob:app://theta/1', false],
    ['data:image/png;base64,AA', false],
    ['https://example.org/', true],
    ['http://127.0.0.1:7433/', true],
    ['ws://127.0.0.1/', true],
    ['file:///etc/passwd', true],
    ['ftp://x/', true],
    ['', true],
  ])('cancels the request for %s: %s', (url, cancel) => {
    const decide = vi.fn();
    secured().handlers.get('load')?.({ url }, decide);
    expect(decide.mock.calls).toEqual([[{ cancel }]]);
  });

  it.each([
    ['blob:app://theta/6f1c', false],
    ['blob:https://example.org/6f1c', true],
    ['https://example.org/x.exe', true],
    ['app://theta/index.html', true],
    ['data:text/html,x', true],
  ])('refuses the download of %s: %s', (url, isRefused) => {
    const preventDefault = vi.fn();
    secured().handlers.get('will-download')?.({ preventDefault }, { getURL: () => url });
    expect(preventDefault).toHaveBeenCalledTimes(isRefused ? 1 : 0);
  });

  it('fetches no dictionaries', () => {
    const { session } = secured();
    expect(session.setSpellCheckerEnabled).toHaveBeenCalledWith(false);
  });
});

describe('app://theta/', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'theta-app-'));
    await writeFile(join(folder, 'index.html'), '<meta nonce="THETA_CSP_NONCE">');
    await symlink('/etc/passwd', join(folder, 'link.txt'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const get = (url: string, method = 'GET') => answerAppRequest({ url, method }, folder);

  it('is a standard, secure origin without more privileges', () => {
    registerAppScheme();
    expect(electron.protocol.registerSchemesAsPrivileged.mock.calls).toEqual([
      [[{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }]],
    ]);
  });

  it('serves the window under a strict policy', async () => {
    const answer = await get('app://theta/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(answer.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1];
    expect(policy).toContain(`'nonce-${nonce}'`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['app://theta/link.txt', 404],
    ['app://theta/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404],
    ['app://theta/..%5c..%5cwindows', 404],
    ['app://theta/nothing.js', 404],
    ['app://other/index.html', 403],
    ['app://user@theta/index.html', 403],
    ['https://theta/index.html', 403],
  ])('answers %s with %i', async (url, status) => {
    expect((await get(url)).status).toBe(status);
  });

  it.each(['POST', 'PUT', 'DELETE'])('answers no %s', async (method) => {
    expect((await get('app://theta/', method)).status).toBe(405);
  });
});
