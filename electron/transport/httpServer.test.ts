import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect as netConnect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Emitter } from '../../shared/base/emitter';
import { decodeFrame, encodeFrame } from '../../shared/contract/wire';
import type { Handlers, HostEvent } from '../handlers/handlers';
import { cookieName } from './accessToken';
import { type HttpServer, type HttpServerOptions, startHttpServer } from './httpServer';
import { handlersWith } from './testing/handlersWith';
import { rawRequest } from './testing/rawRequest';

let folder: string;
let rendererFolder: string;
let events: Emitter<HostEvent>;
const servers: HttpServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-http-'));
  rendererFolder = join(folder, 'renderer');
  await mkdir(join(rendererFolder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'SECRET');
  await mkdir(join(folder, 'renderer-two'));
  await writeFile(join(folder, 'renderer-two', 'secret.txt'), 'SECRET');
  await writeFile(join(rendererFolder, 'index.html'), '<meta nonce="THETA_CSP_NONCE"><p>the window</p>');
  await writeFile(join(rendererFolder, 'assets', 'main-1a2b.js'), 'export {}');
  await writeFile(join(rendererFolder, 'assets', '.hidden.txt'), 'SECRET');
  await writeFile(join(rendererFolder, 'assets', 'program.exe'), 'SECRET');
  await mkdir(join(rendererFolder, 'assets', 'folder.txt'));
  await symlink(join(folder, 'secret.txt'), join(rendererFolder, 'assets', 'link.txt'));
  await symlink(folder, join(rendererFolder, 'assets', 'out'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  events = new Emitter();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(options: Partial<HttpServerOptions> & { readonly given?: Partial<Handlers> } = {}): Promise<HttpServer> {
  const server = await startHttpServer({ handlers: handlersWith(options.given ?? {}), events, rendererFolder, uploadFolder: null, port: 0, ...options });
  servers.push(server);
  return server;
}

async function cookieOf(server: HttpServer): Promise<string> {
  const answer = await fetch(server.url, { redirect: 'manual' });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

const get = async (server: HttpServer, path: string, extra: readonly string[] = []) =>
  rawRequest(server.port, [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${server.port}`, `Cookie: ${await cookieOf(server)}`, ...extra]);

describe('the token', () => {
  it('has 256 bits, differs at every start, and becomes a strict cookie for a clean address', async () => {
    const [first, second] = [await start(), await start()];
    const token = new URL(first.url).searchParams.get('token') ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(new URL(second.url).searchParams.get('token')).not.toBe(token);

    const answer = await fetch(first.url, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/');
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(new RegExp(`^${cookieName(first.port)}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`));
    expect(cookie).not.toContain(token);
  });

  it('is exchanged by a page of ours when the address was followed from another site, which a redirect would not survive', async () => {
    const server = await start();
    const answer = await fetch(server.url, { redirect: 'manual', headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toContain('SameSite=Strict');
    expect(await answer.text()).toContain('content="0; url=/"');
  });

  it.each(['/', '/index.html', '/assets/main-1a2b.js', '/socket', '/nowhere'])('is needed for %s', async (path) => {
    const server = await start();
    const answer = await rawRequest(server.port, [`GET ${path} HTTP/1.1`, `Host: localhost:${server.port}`]);
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('theta serve');
    expect(answer.body).not.toContain('the window');
  });

  it.each(['wrong', '', 'x'.repeat(43), '%00'])('is refused as %j', async (token) => {
    const server = await start();
    const answer = await fetch(`http://127.0.0.1:${server.port}/?token=${token}`, { redirect: 'manual' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('for a command line works once', async () => {
    const server = await start();
    const [first, second] = [server.oneTimeUrl(), server.oneTimeUrl()];
    const statuses: number[] = [];
    for (const url of [second, first, first, second]) statuses.push((await fetch(url, { redirect: 'manual' })).status);
    expect(statuses).toEqual([303, 303, 403, 403]);
    expect((await fetch(server.url, { redirect: 'manual' })).status).toBe(303);
  });

  it('and session can be kept over a restart', async () => {
    const credentials = { token: 'T'.repeat(43), session: 'S'.repeat(43) };
    const first = await start({ credentials });
    const cookie = await cookieOf(first);
    await first.close();
    const second = await start({ credentials, port: first.port });
    expect(second.url).toBe(first.url);
    const answer = await rawRequest(second.port, ['GET / HTTP/1.1', `Host: 127.0.0.1:${second.port}`, `Cookie: ${cookie}`]);
    expect(answer.status).toBe(200);
  });

  it('and session of one host do not open another', async () => {
    const [first, second] = [await start(), await start()];
    const value = (await cookieOf(first)).split('=')[1];
    const answer = await rawRequest(second.port, ['GET / HTTP/1.1', `Host: 127.0.0.1:${second.port}`, `Cookie: ${cookieName(second.port)}=${value}`]);
    expect(answer.status).toBe(403);
  });
});

describe('the page', () => {
  it('comes with a policy that lets nothing in but our own files, under a nonce of its own', async () => {
    const server = await start();
    const [first, second] = [await get(server, '/'), await get(server, '/')];
    expect(first.status).toBe(200);
    const policy = new Map((first.headers.get('content-security-policy') ?? '').split('; ').map((rule) => [rule.split(' ')[0], rule]));
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1];
    expect(nonce).toHaveLength(24);
    expect(policy.get('default-src')).toBe("default-src 'none'");
    expect(policy.get('script-src')).toBe("script-src 'self'");
    expect(policy.get('style-src')).toBe(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy.get('connect-src')).toBe(`connect-src 'self' ws://127.0.0.1:${server.port}`);
    for (const rule of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(rule)).toBe(`${rule} 'none'`);
    expect(second.body).not.toContain(nonce);
    expect(first.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/', '/nowhere', '/?token=wrong'])('and every other answer (%s) carry the protecting headers', async (path) => {
    const { headers } = await get(await start(), path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('is served by HEAD without a body, and hashed files may be kept', async () => {
    const server = await start();
    const answer = await rawRequest(server.port, ['HEAD / HTTP/1.1', `Host: 127.0.0.1:${server.port}`, `Cookie: ${await cookieOf(server)}`]);
    expect([answer.status, answer.body]).toEqual([200, '']);
    const script = await get(server, '/assets/main-1a2b.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  it('that is not built says how to build it', async () => {
    const answer = await get(await start({ rendererFolder: join(folder, 'nothing') }), '/');
    expect(answer.status).toBe(503);
    expect(answer.body).toContain('npm run build');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('answers no %s', async (method) => {
    const server = await start();
    const answer = await rawRequest(server.port, [`${method} / HTTP/1.1`, `Host: 127.0.0.1:${server.port}`, `Cookie: ${await cookieOf(server)}`]);
    expect(answer.status).toBe(405);
  });
});

describe('a path', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/../renderer-two/secret.txt',
    '//secret.txt',
    '/assets//main-1a2b.js',
    '/assets/main-1a2b.js/',
    '/assets/main-1a2b.js%00.txt',
    '/assets/link.txt',
    '/assets/out/secret.txt',
    '/assets/.hidden.txt',
    '/assets/program.exe',
    '/assets/folder.txt',
    '/assets/',
    '/assets',
    '/%',
    '/%ff%fe',
    '/c:/windows/win.ini',
    '/etc/passwd',
    'http://example.org/index.html',
  ])('like %s reaches nothing', async (path) => {
    const answer = await get(await start(), path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('SECRET');
  });
});

describe('a request', () => {
  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.0.0.1.evil.example:PORT',
    'localhost.evil.example:PORT',
    '0.0.0.0:PORT',
    '192.168.0.1:PORT',
    '127.0.0.1:PORT@evil.example',
  ])('to the host %s is refused even with the session', async (host) => {
    const server = await start();
    const answer = await rawRequest(server.port, ['GET / HTTP/1.1', `Host: ${host.replace('PORT', String(server.port))}`, `Cookie: ${await cookieOf(server)}`]);
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('the window');
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('to the host %s is answered', async (name) => {
    const server = await start();
    const answer = await rawRequest(server.port, ['GET / HTTP/1.1', `Host: ${name}:${server.port}`, `Cookie: ${await cookieOf(server)}`]);
    expect(answer.status).toBe(200);
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1:PORT', 'http://localhost:PORT'])(
    'from the page of %s is refused',
    async (origin) => {
      const server = await start();
      const answer = await get(server, '/', [`Origin: ${origin.replace('PORT', String(server.port))}`]);
      expect(answer.status).toBe(403);
    },
  );
});

describe('the port', () => {
  it('is open on loopback only', async () => {
    const server = await start();
    const others = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'));
    for (const { address } of others) await expect(fetch(`http://${address}:${server.port}/`, { signal: AbortSignal.timeout(500) })).rejects.toThrow();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('that is in use is an error that names it', async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(String(port)),
      hint: expect.stringContaining('--port'),
    });
  });

  it('is free again after close, also with windows connected', async () => {
    const server = await start();
    await openSocket(server);
    await server.close();
    const again = await start({ port: server.port });
    expect(again.port).toBe(server.port);
  });
});

interface SocketClient {
  readonly socket: WebSocket;
  /** The next message that is no heartbeat. */
  next(): Promise<unknown>;
}

async function openSocket(server: HttpServer, headers: Record<string, string> = {}): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/socket`, {
    headers: { Cookie: await cookieOf(server), Origin: `http://127.0.0.1:${server.port}`, ...headers },
  });
  const frames: unknown[] = [];
  const waiting: ((frame: unknown) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = decodeFrame(data);
    if (frame === null) return;
    const listener = waiting.shift();
    if (listener === undefined) frames.push(frame);
    else listener(frame);
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { socket, next: () => (frames.length > 0 ? Promise.resolve(frames.shift()) : new Promise((resolve) => waiting.push(resolve))) };
}

const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));

describe('the socket', () => {
  it('carries calls, events and typed arrays', async () => {
    const values = Float32Array.of(1.5, Number.NaN, -0);
    const server = await start({ given: { 'recent/list': async () => ({ values }) as never } });
    const { socket, next } = await openSocket(server);
    socket.send(encodeFrame({ kind: 'call', id: 1, method: 'recent/list', input: {} }));
    expect(await next()).toEqual({ kind: 'result', id: 1, output: { values } });
    events.emit({ name: 'repository/changed', data: { repository: 'r1' } });
    expect(await next()).toEqual({ kind: 'event', name: 'repository/changed', data: { repository: 'r1' } });
    expect(server.connections).toBe(1);
  });

  it.each([
    ['another site', { Origin: 'http://evil.example' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['nowhere', { Origin: 'null' }],
    ['a browser without the session', { Cookie: '' }],
    ['a wrong session', { Cookie: 'theta-session-PORT=AAAA' }],
    ['another host name', { Host: 'evil.example' }],
  ])('does not open for %s', async (_name, headers) => {
    const server = await start();
    const filled = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value.replace('PORT', String(server.port))]));
    await expect(openSocket(server, filled)).rejects.toThrow('403');
    expect(server.connections).toBe(0);
  });

  it('does not open without an Origin', async () => {
    const server = await start();
    const answer = await get(server, '/socket', [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]);
    expect(answer.status).toBe(403);
  });

  it.each([
    ['text', '{"kind":"call"}', 1003],
    ['what is no frame', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), 1007],
    ['more than 32 MiB', new Uint8Array((32 << 20) + 1), 1009],
  ])('closes on %s', async (_name, message, code) => {
    const { socket } = await openSocket(await start());
    const close = closed(socket);
    socket.send(message);
    expect(await close).toBe(code);
  });

  it('refuses the 65th window, and outlives whatever that one sends', async () => {
    const server = await start();
    const headers = { Cookie: await cookieOf(server), Origin: `http://127.0.0.1:${server.port}` };
    const connect = () => new WebSocket(`ws://127.0.0.1:${server.port}/socket`, { headers });
    const opened = Array.from({ length: 64 }, connect);
    await Promise.all(opened.map((socket) => once(socket, 'open')));
    const raw = netConnect(server.port, '127.0.0.1');
    const lines = ['GET /socket HTTP/1.1', `Host: 127.0.0.1:${server.port}`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const own = [...lines, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Cookie: ${headers.Cookie}`, `Origin: ${headers.Origin}`];
    // Behind the request a frame with reserved bits, which is an error of the protocol (RFC 6455, 5.2).
    raw.write(Buffer.concat([Buffer.from(`${own.join('\r\n')}\r\n\r\n`), Buffer.of(0xff, 0xff, 0xff, 0xff)]));
    raw.resume();
    await once(raw, 'close');
    expect(server.connections).toBe(64);
    for (const socket of opened) socket.terminate();
    await expect.poll(() => server.connections).toBe(0);
  });

  it('aborts what runs when the window goes', async () => {
    let aborted = () => {};
    const abort = new Promise<void>((resolve) => (aborted = resolve));
    const server = await start({
      given: {
        'recent/list': (_input, { signal, onProgress }) => {
          onProgress({ phase: 'walk', done: 1, total: null, unit: 'commits' });
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              aborted();
              reject(signal.reason);
            }),
          );
        },
      },
    });
    const { socket, next } = await openSocket(server);
    socket.send(encodeFrame({ kind: 'call', id: 1, method: 'recent/list', input: {} }));
    expect(await next()).toMatchObject({ kind: 'progress', id: 1 });
    socket.terminate();
    await abort;
    await expect.poll(() => server.connections).toBe(0);
  });

  it('sends heartbeats, and ends a window that does not answer them', async () => {
    const server = await start({ heartbeatMs: 20, silenceMs: 100 });
    const { socket } = await openSocket(server);
    await new Promise<void>((resolve) => socket.on('message', (data: Buffer) => data.length === 0 && resolve()));
    // A peer whose network went: it neither reads nor answers.
    socket.pause();
    await expect.poll(() => server.connections, { timeout: 5000 }).toBe(0);
    socket.terminate();
  });

  it('stays open for a window that only listens', async () => {
    const server = await start({ heartbeatMs: 20, silenceMs: 100 });
    const { socket } = await openSocket(server);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([socket.readyState, server.connections]).toEqual([WebSocket.OPEN, 1]);
  });

  it('is told when the host ends', async () => {
    const server = await start();
    const { socket } = await openSocket(server);
    const close = closed(socket);
    await server.close();
    expect(await close).toBe(1001);
  });
});
