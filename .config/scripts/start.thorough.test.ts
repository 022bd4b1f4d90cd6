import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canOpenBrowser, chooseHost } from './chooseHost.mjs';
import { cause } from './installElectron.mjs';
import { browserCommand } from './openBrowser.mjs';
import { runWatched } from './runWatched.mjs';
import { readStartOptions } from './startOptions.mjs';

const desk = { served: false, platform: 'linux', display: true, root: false, sandbox: true } as const;

describe('the host', () => {
  it.each([
    ['Linux with a screen', desk, 'electron'],
    ['as asked', { ...desk, served: true }, 'served'],
    ['without a screen', { ...desk, display: false }, 'served'],
    ['as root', { ...desk, root: true }, 'served'],
    ['without a sandbox', { ...desk, sandbox: false }, 'served'],
    ['a Mac', { ...desk, platform: 'darwin', display: true }, 'electron'],
    ['Windows', { ...desk, platform: 'win32' }, 'electron'],
    ['a Mac, as asked', { ...desk, platform: 'darwin', served: true }, 'served'],
  ] as const)('for %s is right', (_name, situation, kind) => {
    const choice = chooseHost(situation);
    expect(choice.kind).toBe(kind);
    if (choice.kind === 'served') expect(choice.reason).toMatch(/^[A-Z]/);
  });

  it('opens a browser only where one can run', () => {
    expect(canOpenBrowser(desk)).toBe(true);
    expect(canOpenBrowser({ platform: 'linux', display: true, root: false })).toBe(true);
    expect(canOpenBrowser({ ...desk, display: false })).toBe(false);
    expect(canOpenBrowser({ ...desk, root: true })).toBe(false);
    expect(canOpenBrowser({ ...desk, platform: 'win32' })).toBe(true);
  });
});

describe('options of npm start', () => {
  const from = { env: {}, folder: '/home/me' };
  const nothing = { folder: null, served: false, port: null, open: true, help: false };
  it.each([
    [[], nothing],
    [['models'], { ...nothing, folder: '/home/me/models' }],
    [['/data/x', '--served'], { ...nothing, folder: '/data/x', served: true }],
    [['--port', '8000', '.'], { ...nothing, folder: '/home/me', served: true, port: 8000 }],
    [['--port=0', '--no-open'], { ...nothing, served: true, port: 0, open: false }],
    [['--help'], { ...nothing, help: true }],
  ])('%j', (args, expected) => {
    expect(readStartOptions(args, from)).toEqual(expected);
  });

  it('take the host from the environment', () => {
    expect(readStartOptions([], { ...from, env: { THETA_HOST: 'served' } }).served).toBe(true);
  });

  it.each([[['--port']], [['--port', 'x']], [['--port', '65536']], [['--port', '-1']], [['--port=']], [['a', 'b']], [['--unknown']], [['-x']]])(
    '%j are refused',
    (args) => {
      expect(() => readStartOptions(args, from)).toThrow();
    },
  );
});

describe('the browser', () => {
  const url = 'http://127.0.0.1:7433/?token=abc';
  const has =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path);

  it.each([
    ['linux', { PATH: '/usr/local/bin:/usr/bin' }, ['/usr/bin/chromium'], { command: '/usr/bin/chromium', args: [`--app=${url}`] }],
    ['linux', { PATH: '/usr/bin' }, ['/usr/bin/brave', '/usr/bin/google-chrome'], { command: '/usr/bin/google-chrome', args: [`--app=${url}`] }],
    ['linux', { PATH: '/usr/bin' }, ['/opt/chromium'], { command: 'xdg-open', args: [url] }],
    ['linux', {}, [], { command: 'xdg-open', args: [url] }],
    [
      'darwin',
      { HOME: '/Users/me' },
      ['/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium'],
      { command: '/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium', args: [`--app=${url}`] },
    ],
    ['darwin', {}, [], { command: 'open', args: [url] }],
    [
      'win32',
      { 'ProgramFiles(x86)': 'C:\\P86', ProgramFiles: 'C:\\P' },
      ['C:\\P86\\Microsoft\\Edge\\Application\\msedge.exe'],
      { command: 'C:\\P86\\Microsoft\\Edge\\Application\\msedge.exe', args: [`--app=${url}`] },
    ],
    ['win32', {}, [], { command: 'cmd', args: ['/c', 'start', '', url] }],
  ] as const)('on %s with %j and %j', (platform, env, programs, expected) => {
    expect(browserCommand(url, { platform, env, exists: has(...programs) })).toEqual(expected);
  });
});

describe.concurrent('a watched program', () => {
  // Generous where a program must go on: a busy machine may take seconds to start one.
  const PATIENCE = 5000;
  const ticking = (action: string) => `let n = 0; setInterval(() => { ${action}; if (++n > 15) process.exit(0); }, 400)`;
  const node = (code: string, options: { stallMs: number; folder?: string; onBytes?: (bytes: number) => void }) =>
    runWatched(process.execPath, ['-e', code], {
      folders: options.folder === undefined ? [] : [options.folder],
      stallMs: options.stallMs,
      pollMs: 25,
      ...(options.onBytes === undefined ? {} : { onBytes: options.onBytes }),
    });
  async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'theta-watch-'));
    try {
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('that ends well is done', async ({ expect }) => {
    expect(await node('', { stallMs: PATIENCE * 4 })).toEqual({ kind: 'done' });
  });

  it('that fails hands over what it said', async ({ expect }) => {
    expect(await node('console.error("no route"); process.exit(3)', { stallMs: PATIENCE * 4 })).toEqual({ kind: 'failed', output: 'no route\n' });
  });

  it('that is not there fails', async ({ expect }) => {
    expect(await runWatched('/no/such/program', [], { folders: [], stallMs: PATIENCE })).toMatchObject({
      kind: 'failed',
      output: expect.stringContaining('ENOENT'),
    });
  });

  it('that stands still is ended, with its children', async ({ expect }) => {
    // The child holds a connection for as long as it lives.
    const server = createServer().listen(0);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const child = `require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1000)`;
    const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); setInterval(() => {}, 1000)`;
    const outcome = node(parent, { stallMs: PATIENCE });
    const socket = await connected;
    const gone = new Promise((resolve) =>
      socket
        .on('close', resolve)
        .on('error', () => undefined)
        .resume(),
    );
    expect(await outcome).toEqual({ kind: 'stalled' });
    await gone;
    server.close();
  });

  it('that speaks goes on', async ({ expect }) => {
    expect(await node(ticking('console.log(n)'), { stallMs: PATIENCE })).toEqual({ kind: 'done' });
  });

  it('whose folder grows goes on', async ({ expect }) => {
    await withFolder(async (folder) => {
      const code = ticking(`require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'part'))}, 'x')`);
      const sizes: number[] = [];
      expect(await node(code, { stallMs: PATIENCE, folder, onBytes: (bytes) => sizes.push(bytes) })).toEqual({ kind: 'done' });
      expect(sizes.length).toBeGreaterThan(3);
    });
  });

  it('is not kept alive by what lay in the folder before', async ({ expect }) => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'old'), 'x'.repeat(1000));
      expect(await node('setInterval(() => {}, 1000)', { stallMs: 500, folder })).toEqual({ kind: 'stalled' });
    });
  });
});

describe('why a download failed', () => {
  it.each([
    ['HTTPError: Response code 404 (Not Found) for https://x', ' (the server answered 404)'],
    ['TypeError: fetch failed\n at node:internal', ' (no connection to its server)'],
    ['Error: getaddrinfo ENOTFOUND x', ' (no connection to its server)'],
    ["Error: ENOSPC: no space left on device, write '/x'", ' (the disk is full)'],
    ["Error: EACCES: permission denied, mkdir '/x'", ' (no permission to write)'],
    ['ChecksumMismatchError: Generated checksum', ' (what came was damaged)'],
    ['something else', ''],
  ])('%j', (output, expected) => {
    expect(cause(output)).toBe(expected);
  });
});
