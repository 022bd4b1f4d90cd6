import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openRepository } from '../../openRepository';
import { makeRepository } from '../../testing/testRepository';
import { openLfsStore } from '../lfsStore';
import { contents, pointerOf, startServer, transferSetup } from './testing/transferSetup';

describe('over http', () => {
  it('uploads what the server lacks, has it verified, and downloads it again byte for byte', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const all = [...contents(5, 300_000), Buffer.alloc(0), Buffer.from('x')];
    const objects = await Promise.all(all.map((content) => here.keep(content)));
    const [known] = all;
    if (known !== undefined) server.add(known);
    const progress: number[] = [];
    const report = await here.move('upload', objects, { ref: 'refs/heads/main', onProgress: ({ done }) => progress.push(done) });
    expect(report.failed).toEqual([]);
    expect(report.present).toEqual([objects[0]]);
    expect(new Set(report.moved)).toEqual(new Set(objects.slice(1)));
    expect(progress.at(-1)).toBe(objects.slice(1).reduce((sum, { bytes }) => sum + bytes, 0));
    for (const content of all) expect(server.objects.get(pointerOf(content).oid)?.equals(content)).toBe(true);
    expect(new Set(server.verified)).toEqual(new Set(objects.slice(1).map(({ oid }) => oid)));

    const there = await transferSetup(server.remote);
    const fetched = await there.move('download', [...objects, ...objects]);
    expect(fetched).toMatchObject({ failed: [], present: [] });
    expect(fetched.moved.length).toBe(objects.length);
    for (const [index, { oid }] of objects.entries()) expect(all[index]?.equals(await readFile(there.store.pathOf(oid)))).toBe(true);
    expect(await there.parts()).toEqual([]);
  });

  it('asks for a hundred at a time and moves no more at once than configured', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    await here.test.git(['config', 'lfs.concurrenttransfers', '3']);
    const objects = contents(250, 100).map((content) => server.add(content));
    const report = await here.move('download', objects);
    expect(report.moved.length).toBe(250);
    expect(server.largestBatch).toBe(100);
    expect(server.requests.filter(({ path }) => path.endsWith('/objects/batch')).length).toBe(3);
    expect(server.mostAtOnce).toBeLessThanOrEqual(3);
  });

  it('asks for fewer when the server finds a batch too large', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    let refusals = 0;
    server.interfere = async ({ path, headers }, response) => {
      if (!path.endsWith('/objects/batch') || Number(headers['content-length']) < 4000) return null;
      refusals++;
      response.writeHead(413).end();
      return true;
    };
    const objects = contents(90, 10).map((content) => server.add(content));
    expect((await here.move('download', objects)).moved.length).toBe(90);
    expect(refusals).toBeGreaterThan(0);
  });

  it('names each object that one side lacks, and moves the others', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [a, b] = contents(2, 1000);
    const known = server.add(a ?? Buffer.alloc(0));
    const nowhere = pointerOf(b ?? Buffer.alloc(0));
    const down = await here.move('download', [nowhere, known]);
    expect(down.moved).toEqual([known]);
    expect(down.failed).toMatchObject([{ object: nowhere, error: { code: 'missing-object', place: { oid: nowhere.oid } } }]);
    const up = await here.move('upload', [nowhere, known]);
    expect(up.present).toEqual([known]);
    expect(up.failed).toMatchObject([{ object: nowhere, error: { code: 'missing-object' } }]);
  });

  it('never sends a damaged object whole', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [content = Buffer.alloc(0)] = contents(1, 700_000);
    const object = await here.keep(content);
    const damaged = Buffer.from(content);
    damaged[5] = (damaged[5] ?? 0) ^ 1;
    await writeFile(here.store.pathOf(object.oid), damaged);
    const received: number[] = [];
    server.interfere = async ({ method }, response, incoming) => {
      if (method !== 'PUT') return null;
      let bytes = 0;
      incoming.on('error', () => {});
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      incoming.once('close', () => received.push(bytes));
      response.on('error', () => {});
      return true;
    };
    expect((await here.move('upload', [object])).failed).toMatchObject([{ error: { code: 'corrupt-object', place: { oid: object.oid } } }]);
    await vi.waitFor(() => expect(received.length).toBe(1));
    expect(received[0]).toBeLessThan(content.length);
    await writeFile(here.store.pathOf(object.oid), content.subarray(1));
    expect((await here.move('upload', [object])).failed).toMatchObject([{ error: { code: 'corrupt-object' } }]);
    expect(server.objects.size).toBe(0);
  });

  it('goes on where an earlier download stopped', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [content = Buffer.alloc(0)] = contents(1, 500_000);
    const object = server.add(content);
    let cut = true;
    server.interfere = async ({ method }, response) => {
      if (method !== 'GET' || !cut) return null;
      cut = false;
      response.writeHead(200, { 'Content-Length': content.length });
      response.write(content.subarray(0, 200_000), () => setTimeout(() => response.destroy(), 50));
      return true;
    };
    expect((await here.move('download', [object])).failed).toEqual([]);
    expect(server.requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers.range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=[1-9]\d*-499999$/),
    ]);
    expect((await readFile(here.store.pathOf(object.oid))).equals(content)).toBe(true);
  });

  it.each(['right', 'wrong', 'too long', 'complete'])('uses a %s part that was left behind', async (kind) => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [content = Buffer.alloc(0)] = contents(1, 5000);
    const object = server.add(content);
    const left = { right: content.subarray(0, 3000), wrong: Buffer.alloc(3000), 'too long': Buffer.alloc(6000), complete: content }[kind] ?? content;
    const folder = join(dirname(here.store.folder), 'incomplete');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${object.oid}.part`), left);
    expect((await here.move('download', [object])).failed).toEqual([]);
    expect((await readFile(here.store.pathOf(object.oid))).equals(content)).toBe(true);
    expect(await here.parts()).toEqual([]);
    const ranges = server.requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers.range);
    const expected = { right: ['bytes=3000-4999'], wrong: ['bytes=3000-4999', undefined], 'too long': [undefined], complete: [] }[kind];
    expect(ranges).toEqual(expected);
  });

  it('leaves alone the part that another running process writes', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [content = Buffer.alloc(0)] = contents(1, 5000);
    const object = server.add(content);
    const [first, second] = await Promise.all([here.move('download', [object]), here.move('download', [object])]);
    expect([first?.failed, second?.failed]).toEqual([[], []]);
    expect((await readFile(here.store.pathOf(object.oid))).equals(content)).toBe(true);
    expect(await here.parts()).toEqual([]);
  });

  it('starts anew when the server knows no ranges', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [content = Buffer.alloc(0)] = contents(1, 5000);
    const object = server.add(content);
    const folder = join(dirname(here.store.folder), 'incomplete');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${object.oid}.part`), content.subarray(0, 100));
    server.interfere = async ({ method }, response) => {
      if (method !== 'GET') return null;
      response.end(content);
      return true;
    };
    expect((await here.move('download', [object])).failed).toEqual([]);
    expect((await readFile(here.store.pathOf(object.oid))).equals(content)).toBe(true);
  });

  it.each([500, 502, 503, 429, 'reset'] as const)('tries again after %s', async (fault) => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const object = await here.keep(contents(1, 1000)[0] ?? Buffer.alloc(0));
    const seen = new Map<string, number>();
    server.interfere = async ({ method, path }, response) => {
      const times = seen.get(method + path) ?? 0;
      seen.set(method + path, times + 1);
      if (times >= 2) return null;
      if (fault === 'reset') response.destroy();
      else response.writeHead(fault, { 'Retry-After': '0' }).end('busy');
      return true;
    };
    expect((await here.move('upload', [object])).failed).toEqual([]);
    expect(server.objects.has(object.oid)).toBe(true);
    expect((await here.move('download', [object])).failed).toEqual([]);
  });

  it('gives up after the configured number of attempts, with what the server said', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    await here.test.git(['config', 'lfs.transfer.maxretries', '2']);
    const object = server.add(Buffer.from('x'));
    server.interfere = (_, response) => {
      response.writeHead(503).end(JSON.stringify({ message: 'maintenance' }));
      return true;
    };
    await expect(here.move('download', [object])).rejects.toMatchObject({ code: 'disconnected', message: expect.stringContaining('maintenance') });
    expect(server.requests.length).toBe(2);
  });

  it('asks for new addresses when those it has are refused', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const object = server.add(Buffer.from('content'));
    let refused = false;
    server.interfere = async ({ method }, response) => {
      if (method !== 'GET' || refused) return null;
      refused = true;
      response.writeHead(403).end();
      return true;
    };
    expect((await here.move('download', [object])).failed).toEqual([]);
    expect(server.requests.filter(({ path }) => path.endsWith('batch')).length).toBe(2);
  });

  it('reports an upload that the server does not confirm', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const object = await here.keep(Buffer.from('content'));
    server.interfere = async ({ path }, response) => {
      if (path !== '/verify') return null;
      response.writeHead(404).end();
      return true;
    };
    expect((await here.move('upload', [object])).failed).toMatchObject([{ object, error: { code: 'not-found' } }]);
  });

  it('stops when told to, and keeps what has come', async () => {
    const server = await startServer();
    const here = await transferSetup(server.remote);
    const [content = Buffer.alloc(0)] = contents(1, 300_000);
    const object = server.add(content);
    const controller = new AbortController();
    server.interfere = async ({ method }, response) => {
      if (method !== 'GET') return null;
      response.writeHead(200, { 'Content-Length': content.length });
      response.write(content.subarray(0, 100_000));
      return true;
    };
    const moving = here.move('download', [object], {
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done >= 100_000) controller.abort();
      },
    });
    await expect(moving).rejects.toMatchObject({ code: 'cancelled' });
    expect(await here.parts()).toEqual([`${object.oid}.part`]);
    server.interfere = () => null;
    await here.move('download', [object]);
    expect(server.requests.at(-1)?.headers.range).toBe('bytes=100000-299999');
    await expect(here.move('download', [object], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('between repositories of one machine', () => {
  it.each(['bare', 'work tree'])('copies into and out of a %s, by path and by file://', async (kind) => {
    const other = await makeRepository(...(kind === 'bare' ? ['--bare'] : []));
    onTestFinished(() => other.dispose());
    const opened = await openRepository(other.path);
    onTestFinished(() => opened.close());
    const theirs = await openLfsStore(opened);
    for (const address of [other.path, `file://${other.path}`]) {
      const here = await transferSetup(address);
      const all = contents(4, 600_000);
      const objects = await Promise.all(all.map((content) => here.keep(content)));
      const firsts = await here.move('upload', objects.slice(0, 2));
      expect(new Set(firsts.moved)).toEqual(new Set(objects.slice(0, 2)));
      expect(firsts).toMatchObject({ present: [], failed: [] });
      const report = await here.move('upload', objects);
      expect(new Set(report.present)).toEqual(new Set(objects.slice(0, 2)));
      for (const [index, { oid }] of objects.entries()) expect(all[index]?.equals(await readFile(theirs.pathOf(oid)))).toBe(true);
      const there = await transferSetup(address);
      const missing = pointerOf(Buffer.from('nobody has it'));
      const fetched = await there.move('download', [...objects, missing]);
      expect(new Set(fetched.moved)).toEqual(new Set(objects));
      expect(fetched.failed).toMatchObject([{ object: missing, error: { code: 'missing-object' } }]);
      for (const [index, { oid }] of objects.entries()) expect(all[index]?.equals(await readFile(there.store.pathOf(oid)))).toBe(true);
    }
  });

  it('does not hand on a damaged object', async () => {
    const other = await makeRepository('--bare');
    onTestFinished(() => other.dispose());
    const here = await transferSetup(other.path);
    const object = await here.keep(Buffer.from('content'));
    await writeFile(here.store.pathOf(object.oid), 'CONTENT');
    expect((await here.move('upload', [object])).failed).toMatchObject([{ error: { code: 'corrupt-object' } }]);
    await expect(stat(join(other.path, 'lfs', 'objects', object.oid.slice(0, 2)))).rejects.toThrow('ENOENT');
  });

  it('says that there is no repository', async () => {
    const here = await transferSetup('/nowhere/at/all');
    await expect(here.move('download', [pointerOf(Buffer.from('x'))])).rejects.toMatchObject({ code: 'not-found' });
  });
});
