import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Interference, type LfsServer, reply } from '../../../../e2e/fixtures/lfsServer';
import { contents, startServer, type TransferSetup, transferSetup } from './testing/transferSetup';

interface Place {
  readonly server: LfsServer;
  readonly here: TransferSetup;
}

async function place(): Promise<Place> {
  const server = await startServer();
  const here = await transferSetup(server.remote);
  await here.test.git(['config', 'lfs.transfer.maxretries', '3']);
  return { server, here };
}

const onGet =
  (answer: (response: Parameters<Interference>[1], path: string) => void): Interference =>
  async ({ method, path }, response) => {
    if (method !== 'GET') return null;
    response.on('error', () => {});
    answer(response, path);
    return true;
  };
const onBatch =
  (answer: (response: Parameters<Interference>[1]) => void): Interference =>
  async ({ path }, response) => {
    if (!path.endsWith('/objects/batch')) return null;
    answer(response);
    return true;
  };

/** Nothing of the object is in the store, and no file stands outside of it. */
async function expectNothing({ here }: Place): Promise<void> {
  const kept = await readdir(here.store.folder, { recursive: true }).catch(() => []);
  expect(kept.filter((name) => /[0-9a-f]{64}/.test(name))).toEqual([]);
  const around = await readdir(dirname(dirname(here.store.folder)));
  expect(around.filter((name) => /evil|[0-9a-f]{64}/.test(name))).toEqual([]);
}

describe('a server that answers with other bytes', () => {
  const [content = Buffer.alloc(0)] = contents(1, 50_000);

  it.each([
    ['wrong ones', 'corrupt-object', onGet((response) => response.end(Buffer.alloc(50_000)))],
    ['too few', 'truncated', onGet((response) => response.end(content.subarray(0, 100)))],
    ['none', 'truncated', onGet((response) => response.end())],
    ['too many', 'corrupt-object', onGet((response) => response.end(Buffer.concat([content, Buffer.from('x')])))],
    ['a web page', 'truncated', onGet((response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Log in</p>'))],
    [
      'an endless body',
      'corrupt-object',
      onGet((response) => {
        const block = Buffer.alloc(65_536);
        const more = () => {
          while (!response.destroyed && response.write(block));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }),
    ],
    [
      'another range than asked for',
      'corrupt-object',
      onGet((response) => response.writeHead(206, { 'Content-Range': 'bytes 0-9/10' }).end(Buffer.alloc(50_000))),
    ],
    ['a range that nobody asked for', 'malformed', onGet((response) => response.writeHead(206, { 'Content-Range': 'bytes 7-9/10' }).end('abc'))],
    ['a body that is compressed', 'truncated', onGet((response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('abc'))],
  ] as const)('%s', async (_, code, interfere) => {
    const context = await place();
    const object = context.server.add(content);
    context.server.interfere = interfere;
    const report = await context.here.move('download', [object]);
    expect(report.failed).toMatchObject([{ object, error: { code, place: { oid: object.oid } } }]);
    await expectNothing(context);
    context.server.interfere = () => null;
    expect((await context.here.move('download', [object])).failed).toEqual([]);
  });
});

describe('a server that redirects', () => {
  it.each([
    ['to itself', (path: string) => path],
    ['to ever new places', (path: string) => `${path}x`],
  ])('%s', async (_, next) => {
    const context = await place();
    const object = context.server.add(Buffer.from('content'));
    context.server.interfere = onGet((response, path) => response.writeHead(302, { Location: next(path) }).end());
    const report = await context.here.move('download', [object]);
    expect(report.failed).toMatchObject([{ error: { code: 'invalid-request', message: expect.stringContaining('redirects') } }]);
    expect(context.server.requests.length).toBeLessThan(50);
    await expectNothing(context);
  });

  it.each(['file:///etc/passwd', 'ftp://x/y', 'javascript:1', 'http://'])('to %s', async (location) => {
    const context = await place();
    const object = context.server.add(Buffer.from('content'));
    context.server.interfere = onGet((response) => response.writeHead(301, { Location: location }).end());
    expect((await context.here.move('download', [object])).failed).toMatchObject([{ error: { code: 'invalid-request' } }]);
  });
});

describe('a server whose batch answer', () => {
  it.each([
    [
      'is a web page',
      'malformed',
      (response: Parameters<Interference>[1]) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Log in</html>'),
    ],
    ['is no JSON', 'malformed', (response: Parameters<Interference>[1]) => response.end('{')],
    ['is null', 'malformed', (response: Parameters<Interference>[1]) => response.end('null')],
    ['has other types', 'malformed', (response: Parameters<Interference>[1]) => reply(response, { objects: { length: 1 } })],
    ['wants another transfer', 'malformed', (response: Parameters<Interference>[1]) => reply(response, { transfer: 'tus', objects: [] })],
    ['wants another hash', 'malformed', (response: Parameters<Interference>[1]) => reply(response, { hash_algo: 'md5', objects: [] })],
    [
      'has no end',
      'too-large',
      (response: Parameters<Interference>[1]) => {
        const block = Buffer.from(`"${'x'.repeat(65_536)}",`);
        response.on('error', () => {});
        response.write('{"objects":[');
        const more = () => {
          while (!response.destroyed && response.write(block));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    ],
    ['is a refusal in words', 'not-found', (response: Parameters<Interference>[1]) => reply(response, { message: 'No such repository' }, 404)],
  ] as const)('%s', async (_, code, answer) => {
    const context = await place();
    context.server.interfere = onBatch(answer);
    await expect(context.here.move('download', [context.server.add(Buffer.from('content'))])).rejects.toMatchObject({ code });
    await expectNothing(context);
  });

  it('speaks of objects with paths for names, and of others than asked for', async () => {
    const context = await place();
    const object = context.server.add(Buffer.from('content'));
    const evil = { actions: { download: { href: `${context.server.origin}/evil` } } };
    context.server.interfere = onBatch((response) =>
      reply(response, {
        objects: [
          { oid: '../../../../evil', ...evil },
          { oid: '0'.repeat(64), ...evil },
        ],
      }),
    );
    expect((await context.here.move('download', [object])).failed).toMatchObject([{ object, error: { code: 'malformed' } }]);
    expect(context.server.requests.some(({ path }) => path === '/evil')).toBe(false);
    await expectNothing(context);
    await expect(context.here.move('download', [{ oid: '../../evil', bytes: 1 }])).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it.each([
    ['a file', { href: 'file:///etc/passwd' }],
    ['nothing', { href: '' }],
    ['a header with a line break', { href: 'http://127.0.0.1:1/', header: { A: 'b\r\nHost: evil' } }],
    ['a header without a name', { href: 'http://127.0.0.1:1/', header: { 'a b': 'c' } }],
  ])('gives %s as an address', async (_, action) => {
    const context = await place();
    const object = context.server.add(Buffer.from('content'));
    context.server.interfere = onBatch((response) => reply(response, { objects: [{ oid: object.oid, actions: { download: action } }] }));
    expect((await context.here.move('download', [object])).failed).toMatchObject([{ object, error: { code: 'malformed' } }]);
  });

  it('names errors of objects', async () => {
    const context = await place();
    const objects = contents(3, 10).map((content) => context.server.add(content));
    const codes = [404, 422, 599];
    context.server.interfere = onBatch((response) =>
      reply(response, { objects: objects.map(({ oid }, index) => ({ oid, error: { code: codes[index], message: 'because' } })) }),
    );
    const { failed } = await context.here.move('download', objects);
    expect(failed.map(({ error }) => error.code)).toEqual(['missing-object', 'invalid-request', 'disconnected']);
  });
});

it('names a server that is not there, and one that speaks another protocol', async () => {
  const { server, here } = await place();
  const object = server.add(Buffer.from('content'));
  const address = server.remote;
  await here.test.git(['config', 'remote.origin.url', address.replace('http:', 'https:')]);
  await expect(here.move('download', [object])).rejects.toMatchObject({ code: 'disconnected' });
  await server.stop();
  await here.test.git(['config', 'remote.origin.url', address]);
  await expect(here.move('download', [object])).rejects.toMatchObject({ code: 'disconnected', message: expect.stringContaining('Nothing answers') });
  expect(await readdir(join(here.test.path, '.git', 'lfs')).catch(() => [])).not.toContain('evil');
});

it('leaves a server that falls silent', async () => {
  const { server, here } = await place();
  await here.test.git(['config', 'lfs.activitytimeout', '1']);
  await here.test.git(['config', 'lfs.transfer.maxretries', '1']);
  const object = server.add(Buffer.from('content'));
  server.interfere = onGet((response) => response.writeHead(200, { 'Content-Length': 7 }).write('con'));
  expect((await here.move('download', [object])).failed).toMatchObject([{ error: { code: 'disconnected' } }]);
  server.interfere = onBatch(() => {});
  await expect(here.move('download', [object])).rejects.toMatchObject({ code: 'disconnected' });
});
