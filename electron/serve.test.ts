import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningServer, type ServeOptions, serveUntilStopped, startServer, tunnelCommand } from './serve';

let folder: string;
const running: RunningServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'theta-serve-'));
  vi.stubEnv('THETA_DATA', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(options: ServeOptions): Promise<RunningServer> {
  const server = await startServer(options);
  running.push(server);
  return server;
}

/** Holds a port; resolves to `null` when somebody else does already. */
function hold(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1');
    server.once('listening', () => resolve(server));
    server.once('error', () => resolve(null));
  });
}

describe('the served host', () => {
  it('takes the port that was asked for, or says that it is in use', async () => {
    const first = await start({ port: 0 });
    await expect(startServer({ port: first.port })).rejects.toMatchObject({ code: 'conflict' });
    await expect(fetch(first.url, { redirect: 'manual' })).resolves.toMatchObject({ status: 303 });
  });

  it('takes any port when the usual one is in use', async () => {
    const held = await hold(7433);
    const server = await start({});
    expect(server.port).not.toBe(7433);
    expect(server.url).toContain(`:${server.port}/`);
    held?.close();
  });

  it('says its address and how to reach it from another machine, until it is asked to end', async () => {
    const lines: string[] = [];
    const before = process.listenerCount('SIGTERM');
    const done = serveUntilStopped({ port: 0 }, (line) => lines.push(line));
    await vi.waitFor(() => expect(lines).toHaveLength(3));
    const url = /http:\/\/127\.0\.0\.1:(\d+)\/\?token=[\w-]{43}$/.exec(lines[0] ?? '');
    expect(lines[1]).toContain(`ssh -L ${url?.[1]}:127.0.0.1:${url?.[1]} `);
    // As the signal would, without ending the tests.
    process.emit('SIGTERM', 'SIGTERM');
    await done;
    expect(process.listenerCount('SIGTERM')).toBe(before);
    await expect(fetch(url?.[0] ?? '')).rejects.toThrow();
  });

  it('has the same port on both ends of the tunnel, as its checks need', () => {
    expect(tunnelCommand(7433, 'ada', 'gpu-box')).toBe('ssh -L 7433:127.0.0.1:7433 ada@gpu-box');
  });
});
