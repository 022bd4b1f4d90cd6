import { describe, expect, it } from 'vitest';
import { Emitter } from '../../shared/base/emitter';
import { type CheckpointError, CheckpointError as CheckpointErrorClass } from '../../shared/contract/errors';
import type { ConnectionStatus } from '../../shared/contract/transport';
import { Client } from './client';
import type { WindowTransport } from './windowTransport';

/** A host in memory: what was sent, and a hand to send from. */
class FakeTransport implements WindowTransport {
  readonly sent: unknown[] = [];
  readonly frames = new Emitter<unknown>();
  readonly statuses = new Emitter<ConnectionStatus>();
  status: ConnectionStatus = 'open';
  send(frame: unknown) {
    this.sent.push(frame);
  }
  onFrame(listener: (frame: unknown) => void) {
    return this.frames.on(listener);
  }
  onStatus(listener: (status: ConnectionStatus) => void) {
    return this.statuses.on(listener);
  }
  change(status: ConnectionStatus) {
    this.status = status;
    this.statuses.emit(status);
  }
}

function setUp(status: ConnectionStatus = 'open') {
  const transport = new FakeTransport();
  transport.status = status;
  return { transport, client: new Client(transport) };
}

/** The error that a promise ends with. */
async function failure(promise: Promise<unknown>): Promise<CheckpointError> {
  const outcome = await promise.then(
    () => new Error('resolved'),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(CheckpointErrorClass);
  return outcome as CheckpointError;
}

describe('Client', () => {
  it('sends a call and resolves with the validated answer', async () => {
    const { transport, client } = setUp();
    const answer = client.request('sample/unpack', {});
    expect(transport.sent).toEqual([{ kind: 'call', id: 1, method: 'sample/unpack', input: {} }]);
    transport.frames.emit({ kind: 'result', id: 1, output: { path: '/data/sample', extra: 1 } });
    expect(await answer).toEqual({ path: '/data/sample' });
  });

  it('keeps answers apart by their ids, in whatever order they come', async () => {
    const { transport, client } = setUp();
    const first = client.request('sample/unpack', {});
    const second = client.request('sample/unpack', {});
    transport.frames.emit({ kind: 'result', id: 2, output: { path: 'second' } });
    transport.frames.emit({ kind: 'result', id: 1, output: { path: 'first' } });
    expect([await first, await second]).toEqual([{ path: 'first' }, { path: 'second' }]);
  });

  it('rebuilds the error of the host, place and hint included', async () => {
    const { transport, client } = setUp();
    const answer = client.request('repository/open', { path: '/x' });
    const error = { code: 'missing-object', message: 'Gone.', place: { group: 'a/b', oid: 'ff' }, hint: 'Fetch it.', detail: 'trace' };
    transport.frames.emit({ kind: 'failure', id: 1, error });
    expect((await failure(answer)).toData()).toEqual(error);
  });

  it('passes progress on, and none after the end', async () => {
    const { transport, client } = setUp();
    const seen: number[] = [];
    const answer = client.request('sample/unpack', {}, { onProgress: ({ done }) => seen.push(done) });
    const progress = (done: number) => transport.frames.emit({ kind: 'progress', id: 1, progress: { phase: 'x', done, total: null, unit: 'bytes' } });
    progress(1);
    progress(2);
    transport.frames.emit({ kind: 'result', id: 1, output: { path: 'p' } });
    progress(3);
    await answer;
    expect(seen).toEqual([1, 2]);
  });

  it.each([
    ['an answer of another form', { kind: 'result', id: 1, output: { path: 5 } }],
    ['no answer at all', { kind: 'result', id: 1 }],
    ['a failure without code', { kind: 'failure', id: 1, error: { message: 'x' } }],
    ['an unknown kind of frame', { kind: 'surprise', id: 1 }],
  ])('rejects %s as internal instead of waiting for ever', async (_, frame) => {
    const { transport, client } = setUp();
    const answer = client.request('sample/unpack', {});
    transport.frames.emit(frame);
    expect((await failure(answer)).code).toBe('internal');
  });

  it.each([
    ['text'],
    [null],
    [42],
    [{ kind: 'result', id: 99, output: 1 }],
    [{ kind: 'event', name: 'no/such', data: {} }],
    [{ kind: 'event', name: '__proto__', data: {} }],
  ])('survives the frame %j that belongs to nothing', async (frame) => {
    const { transport, client } = setUp();
    const answer = client.request('sample/unpack', {});
    transport.frames.emit(frame);
    transport.frames.emit({ kind: 'result', id: 1, output: { path: 'p' } });
    expect(await answer).toEqual({ path: 'p' });
  });

  it('cancels at once and tells the host', async () => {
    const { transport, client } = setUp();
    const controller = new AbortController();
    const answer = client.request('sample/unpack', {}, { signal: controller.signal });
    controller.abort();
    expect((await failure(answer)).code).toBe('cancelled');
    expect(transport.sent.at(-1)).toEqual({ kind: 'cancel', id: 1 });
    transport.frames.emit({ kind: 'result', id: 1, output: { path: 'late' } });
  });

  it('sends nothing for a request that is cancelled before it begins', async () => {
    const { transport, client } = setUp();
    expect((await failure(client.request('sample/unpack', {}, { signal: AbortSignal.abort() }))).code).toBe('cancelled');
    expect(transport.sent).toEqual([]);
  });

  it('no longer cancels what has been answered', async () => {
    const { transport, client } = setUp();
    const controller = new AbortController();
    const answer = client.request('sample/unpack', {}, { signal: controller.signal });
    transport.frames.emit({ kind: 'result', id: 1, output: { path: 'p' } });
    await answer;
    controller.abort();
    expect(transport.sent).toHaveLength(1);
  });

  it('keeps requests until the first connection stands, but not the cancelled ones', async () => {
    const { transport, client } = setUp('connecting');
    const controller = new AbortController();
    const cancelled = client.request('recent/list', {}, { signal: controller.signal });
    const answer = client.request('sample/unpack', {});
    expect(transport.sent).toEqual([]);
    controller.abort();
    expect((await failure(cancelled)).code).toBe('cancelled');
    transport.change('open');
    expect(transport.sent).toEqual([{ kind: 'call', id: 2, method: 'sample/unpack', input: {} }]);
    transport.frames.emit({ kind: 'result', id: 2, output: { path: 'p' } });
    expect(await answer).toEqual({ path: 'p' });
  });

  it('rejects everything that waits when the connection is lost, and what is asked until it is back', async () => {
    const { transport, client } = setUp();
    const waiting = [client.request('sample/unpack', {}), client.request('recent/list', {})];
    transport.change('lost');
    for (const answer of waiting) expect((await failure(answer)).code).toBe('disconnected');
    expect((await failure(client.request('sample/unpack', {}))).code).toBe('disconnected');
    expect(client.status).toBe('lost');
    transport.change('open');
    const answer = client.request('sample/unpack', {});
    transport.frames.emit({ kind: 'result', id: 3, output: { path: 'p' } });
    expect(await answer).toEqual({ path: 'p' });
  });

  it('tells of a reconnection, but not of the first connection', () => {
    const { transport, client } = setUp('connecting');
    let times = 0;
    const registration = client.onReconnect(() => times++);
    transport.change('open');
    expect(times).toBe(0);
    transport.change('lost');
    transport.change('open');
    expect(times).toBe(1);
    registration.dispose();
    transport.change('lost');
    transport.change('open');
    expect(times).toBe(1);
  });

  it('delivers events to their own listeners, validated', () => {
    const { transport, client } = setUp();
    const seen: string[] = [];
    const registration = client.on('open/path', ({ path }) => seen.push(path));
    transport.frames.emit({ kind: 'event', name: 'open/path', data: { path: '/a' } });
    transport.frames.emit({ kind: 'event', name: 'open/path', data: { path: 1 } });
    transport.frames.emit({ kind: 'event', name: 'menu/command', data: { command: 'x' } });
    registration.dispose();
    transport.frames.emit({ kind: 'event', name: 'open/path', data: { path: '/b' } });
    expect(seen).toEqual(['/a']);
  });

  it('rejects a request that cannot be sent', async () => {
    const { transport, client } = setUp();
    transport.send = () => {
      throw new TypeError('cannot be cloned');
    };
    expect((await failure(client.request('sample/unpack', {}))).message).toBe('cannot be cloned');
  });
});
