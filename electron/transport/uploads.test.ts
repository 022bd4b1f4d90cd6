import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../shared/base/emitter';
import type { HostEvent } from '../handlers/handlers';
import { type HttpServer, startHttpServer } from './httpServer';
import { handlersWith } from './testing/handlersWith';
import { type RawAnswer, rawRequest } from './testing/rawRequest';
import { uploadName } from './uploadName';
import { createUploads } from './uploads';

let folder: string;
let uploadFolder: string;
let server: HttpServer;
let cookie: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-uploads-'));
  uploadFolder = join(folder, 'cache', 'uploads');
  server = await startHttpServer({ handlers: handlersWith({}), events: new Emitter<HostEvent>(), rendererFolder: folder, uploadFolder, port: 0 });
  const answer = await fetch(server.url, { redirect: 'manual' });
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const own = () => ({ Host: `127.0.0.1:${server.port}`, Origin: `http://127.0.0.1:${server.port}`, Cookie: cookie });
const received = () => readdir(uploadFolder, { recursive: true }).catch(() => []);

/** As XMLHttpRequest sends it. */
function send(name: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> {
  const given = { ...own(), ...headers };
  return fetch(`http://127.0.0.1:${server.port}/upload?name=${encodeURIComponent(name)}`, { method: 'POST', body, headers: given });
}

/** Exactly these header fields; `null` leaves one out. */
function raw(query: string, fields: Record<string, string | null>, method = 'POST'): Promise<RawAnswer> {
  const all: Record<string, string | null> = { ...own(), 'Content-Length': '0', ...fields };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return rawRequest(server.port, [`${method} /upload${query} HTTP/1.1`, ...lines]);
}

describe('an upload', () => {
  it('arrives whole under its name, readable for its owner only', async () => {
    const body = new Uint8Array(5_000_000).map((_, index) => (index * 31) % 251);
    const answer = await send('modèle 1+2 & 3.pt', body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { path } = (await answer.json()) as { path: string };
    expect(path.startsWith(uploadFolder)).toBe(true);
    expect(path.endsWith('modèle 1+2 & 3.pt')).toBe(true);
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(digest(await readFile(path))).toBe(digest(body));
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it('of the same name stands beside the other, and an empty one is one', async () => {
    const paths: string[] = [];
    for (const text of ['a', '']) paths.push(((await (await send('m.pt', new TextEncoder().encode(text))).json()) as { path: string }).path);
    expect(new Set(paths).size).toBe(2);
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['a', '']);
  });

  it('is deleted when it is not needed any more, and nothing else is by that way', async () => {
    const secret = join(folder, 'secret', 'm.pt');
    await mkdir(join(folder, 'secret'));
    await writeFile(secret, 'S');
    const { path } = (await (await send('m.pt', new TextEncoder().encode('a'))).json()) as { path: string };
    const asked = (wanted: string, fields: Record<string, string | null> = {}) => raw(`?path=${encodeURIComponent(wanted)}`, fields, 'DELETE');
    expect((await asked(path, { Origin: null })).status).toBe(403);
    expect((await asked(path, { Cookie: null })).status).toBe(403);
    for (const wanted of [secret, `${path}/../../../secret/m.pt`, uploadFolder, '', join(uploadFolder, 'x', '..', 'm.pt')])
      expect((await asked(wanted)).status).toBe(200);
    expect(await readFile(secret, 'utf8')).toBe('S');
    expect(await received()).toHaveLength(2);
    expect((await asked(path)).status).toBe(200);
    expect(await received()).toEqual([]);
  });

  it('is deleted when the host ends', async () => {
    await send('m.pt', new TextEncoder().encode('a'));
    expect(await received()).toHaveLength(2);
    await server.close();
    expect(await received()).toEqual([]);
  });

  it('that breaks off leaves nothing behind, and the host goes on', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const head = Object.entries(own()).map(([name, value]) => `${name}: ${value}`);
    socket.write([`POST /upload?name=m.pt HTTP/1.1`, ...head, 'Content-Length: 1000000', '', 'x'.repeat(50_000)].join('\r\n'));
    await expect.poll(received).toHaveLength(2);
    socket.destroy();
    await expect.poll(received).toEqual([]);
    expect((await send('m.pt', new TextEncoder().encode('a'))).status).toBe(200);
  });

  it('in chunks that end without their end leaves nothing behind', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const head = Object.entries(own()).map(([name, value]) => `${name}: ${value}`);
    socket.write([`POST /upload?name=m.pt HTTP/1.1`, ...head, 'Transfer-Encoding: chunked', '', '5', 'abcde', ''].join('\r\n'));
    await expect.poll(received).toHaveLength(2);
    socket.end();
    await expect.poll(received).toEqual([]);
  });
});

describe('what sends an upload', () => {
  it.each([
    ['no page', { Origin: null }],
    ['another site', { Origin: 'http://evil.example' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['a page without origin', { Origin: 'null' }],
    ['another host name', { Host: 'evil.example', Origin: 'http://evil.example' }],
    ['a browser without the session', { Cookie: null }],
    ['a browser with another session', { Cookie: 'theta-session-1=AAAA' }],
  ])('is refused when it is %s', async (_name, fields) => {
    const answer = await raw('?name=m.pt', fields);
    expect(answer.status).toBe(403);
    expect(await received()).toEqual([]);
  });

  it.each(['GET', 'HEAD', 'PUT', 'OPTIONS', 'PATCH'])('is refused with %s', async (method) => {
    const answer = await raw('?name=m.pt', {}, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, DELETE');
  });

  it('hears of a refusal also while it sends, and is cut off when it does not stop', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest({
        port: server.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/upload?name=m.pt',
        headers: { ...own(), Cookie: '', 'Content-Length': 1e12 },
      });
      request.on('response', (response) => resolve(response.statusCode ?? 0));
      request.on('error', reject);
      request.write(Buffer.alloc(100_000));
    });
    expect(status).toBe(403);
    expect(await received()).toEqual([]);
  });

  it('finds no such address where the host takes none', async () => {
    const other = await startHttpServer({ handlers: handlersWith({}), events: new Emitter(), rendererFolder: folder, uploadFolder: null, port: 0 });
    const lines = [`POST /upload?name=m.pt HTTP/1.1`, `Host: 127.0.0.1:${other.port}`, `Origin: http://127.0.0.1:${other.port}`, 'Content-Length: 0'];
    expect((await rawRequest(other.port, lines)).status).toBe(405);
    await other.close();
  });
});

describe('a name', () => {
  it.each([
    '',
    '?name=',
    '?name=.',
    '?name=..',
    '?name=../m.pt',
    '?name=..%2fm.pt',
    '?name=a/b.pt',
    '?name=%2fetc%2fpasswd',
    '?name=..%5cm.pt',
    '?name=C:%5cm.pt',
    '?name=m.pt%00.txt',
    '?name=m%0a.pt',
    '?name=%ff%fe',
    '?name=a.pt&name=b.pt',
    '?name=a.pt&folder=/tmp',
    `?name=${'x'.repeat(256)}`,
    '?file=m.pt',
  ])('given by %j is refused in words', async (query) => {
    const answer = await raw(query, {});
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'invalid-request', message: expect.stringMatching(/\.$/) } });
    expect(await received()).toEqual([]);
  });

  it.each([
    ['m.pt', 'm.pt'],
    ['..%252fm.pt', '..%2fm.pt'],
    ['%E6%A8%A1%E5%9E%8B.pt', '模型.pt'],
    ['a+b.pt', 'a b.pt'],
    ['-rf', '-rf'],
  ])('%s means %s', (given, name) => {
    expect(uploadName(`name=${given}`)).toBe(name);
  });

  it.each(['con', 'CON.pt', 'nul.safetensors', 'com1', 'a:b', 'a*', 'model.', 'model '])('%j is no file on Windows', (name) => {
    expect(() => uploadName(`name=${encodeURIComponent(name)}`, 'win32')).toThrow(/Windows/);
    expect(uploadName(`name=${encodeURIComponent(name)}`, 'linux')).toBe(name);
  });
});

describe('the disk', () => {
  /** A server's request without the server around it. */
  async function receive(room: number, headers: Record<string, string>, body: Buffer) {
    const { Readable } = await import('node:stream');
    const stream = Object.assign(Readable.from([body]), { headers, complete: true });
    const uploads = createUploads({ folder: uploadFolder, freeBytes: async () => room });
    return uploads.receive(stream as never, 'name=m.pt').finally(() => uploads.close());
  }

  it.each([
    ['announced', { 'content-length': '2000' }],
    ['not announced', {}],
  ])('that is too small for a body whose length is %s gives its reason, and nothing stays', async (_name, headers) => {
    await expect(receive(1000, headers, Buffer.alloc(2000))).rejects.toMatchObject({ code: 'no-space', hint: expect.any(String) });
    expect(await received()).toEqual([]);
  });

  it('that has just enough room takes it', async () => {
    expect(await receive(2000, { 'content-length': '2000' }, Buffer.alloc(2000))).toContain(uploadFolder);
  });

  it('is rid of what an earlier host left, a day later, and of nothing else', async () => {
    const old = join(uploadFolder, 'a'.repeat(32));
    const recent = join(uploadFolder, 'b'.repeat(32));
    const foreign = join(uploadFolder, 'notes');
    for (const place of [old, recent, foreign]) {
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'm.pt'), 'x');
    }
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const place of [old, foreign]) await utimes(place, yesterday, yesterday);
    const uploads = createUploads({ folder: uploadFolder });
    await expect.poll(async () => (await readdir(uploadFolder)).sort()).toEqual(['b'.repeat(32), 'notes']);
    await uploads.close();
  });
});
