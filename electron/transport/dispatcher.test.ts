import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../shared/base/emitter';
import { CheckpointError } from '../../shared/contract/errors';
import type { HostFrame } from '../../shared/contract/frames';
import type { Handlers, HostEvent } from '../handlers/handlers';
import { connect, MAX_RUNNING, MAX_WAITING } from './dispatcher';
import { handlersWith } from './testing/handlersWith';

function serve(given: Partial<Handlers>) {
  const frames: HostFrame[] = [];
  const events = new Emitter<HostEvent>();
  const connection = connect(handlersWith(given), (frame) => frames.push(frame), events);
  return { frames, events, connection };
}

const call = (id: number, method: string, input: unknown = {}) => ({ kind: 'call', id, method, input });
const settled = () => new Promise((resolve) => setImmediate(resolve));
const forget = (id: number) => call(id, 'recent/forget', { path: '/a' });
const progress = (done: number) => ({ phase: 'write', done, total: 10, unit: 'bytes' }) as const;

describe('a call', () => {
  it('is answered with what its handler returns', async () => {
    const recent = [{ path: '/a', name: 'a', openedAt: 1, exists: true }];
    const { frames, connection } = serve({ 'recent/list': async () => recent });
    connection.receive(call(1, 'recent/list'));
    await settled();
    expect(frames).toEqual([{ kind: 'result', id: 1, output: recent }]);
  });

  it('gets its input checked and completed before the handler sees it', async () => {
    const inputs: unknown[] = [];
    const { frames, connection } = serve({
      'folders/list': async (input) => {
        inputs.push(input);
        return { path: '/', file: null, parent: null, entries: [], omitted: 0 };
      },
    });
    connection.receive(call(1, 'folders/list', { path: null, stowaway: 1 }));
    connection.receive(call(2, 'folders/list', { path: 'a\0b' }));
    connection.receive(call(3, 'folders/list', null));
    await settled();
    expect(inputs).toEqual([{ path: null, showHidden: false }]);
    expect(frames.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['result', 'failure', 'failure']));
    expect(frames.find((frame) => frame.kind === 'failure' && frame.id === 2)).toMatchObject({
      error: { code: 'invalid-request', message: expect.stringContaining('path') },
    });
  });

  it.each([
    ['an Error', new Error('boom'), { code: 'internal', message: 'boom' }],
    [
      'a CheckpointError',
      new CheckpointError('missing-object', 'Gone.', { place: { group: 'w', oid: 'ab' } }),
      { code: 'missing-object', place: { group: 'w', oid: 'ab' } },
    ],
    ['an abort', new DOMException('stop', 'AbortError'), { code: 'cancelled' }],
    ['a string', 'odd', { code: 'internal', message: 'odd' }],
  ])('that throws %s fails with its data', async (_name, thrown, error) => {
    const { frames, connection } = serve({
      'recent/list': () => {
        throw thrown;
      },
    });
    connection.receive(call(4, 'recent/list'));
    await settled();
    expect(frames).toMatchObject([{ kind: 'failure', id: 4, error }]);
  });

  it('fails when its result cannot be sent', async () => {
    const frames: HostFrame[] = [];
    const send = (frame: HostFrame) => {
      if (frame.kind === 'result') throw new TypeError('cannot be cloned');
      frames.push(frame);
    };
    const connection = connect(handlersWith({ 'recent/forget': async () => null }), send, new Emitter<HostEvent>());
    connection.receive(forget(1));
    await settled();
    expect(frames).toMatchObject([{ kind: 'failure', id: 1, error: { code: 'internal', message: 'cannot be cloned' } }]);
  });

  it.each(['no/such', 'constructor', '__proto__', 'toString', ''])('of the unknown method %j is refused', async (method) => {
    const { frames, connection } = serve({});
    connection.receive(call(1, method));
    await settled();
    expect(frames).toMatchObject([{ kind: 'failure', id: 1, error: { code: 'invalid-request' } }]);
  });

  it('with the id of a running one is refused, and the id is free again afterwards', async () => {
    let release = () => {};
    const handler = vi.fn(() => new Promise<null>((resolve) => (release = () => resolve(null))));
    const { frames, connection } = serve({ 'recent/forget': handler });
    connection.receive(forget(1));
    connection.receive(forget(1));
    expect(frames).toMatchObject([{ kind: 'failure', id: 1, error: { code: 'invalid-request' } }]);
    release();
    await settled();
    connection.receive(forget(1));
    release();
    await settled();
    expect(handler).toHaveBeenCalledTimes(2);
    expect(frames.map(({ kind }) => kind)).toEqual(['failure', 'result', 'result']);
  });

  it.each([
    null,
    undefined,
    7,
    'call',
    [],
    {},
    { kind: 'call' },
    { kind: 'call', id: 0.5, method: 'recent/list' },
    { kind: 'result', id: null },
    { kind: 'cancel', id: 'x' },
  ])('as the frame %j is dropped', async (frame) => {
    const { frames, connection } = serve({});
    connection.receive(frame);
    await settled();
    expect(frames).toEqual([]);
  });

  it('with a usable id in a broken frame is told so', async () => {
    const { frames, connection } = serve({});
    connection.receive({ kind: 'call', id: 3, method: 5 });
    expect(frames).toMatchObject([{ kind: 'failure', id: 3, error: { code: 'invalid-request' } }]);
  });
});

describe('cancel', () => {
  const untilAborted: Handlers['recent/forget'] = (_input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('torn down'))));

  it('aborts that call only', async () => {
    const { frames, connection } = serve({ 'recent/forget': untilAborted });
    connection.receive(forget(1));
    connection.receive(forget(2));
    connection.receive({ kind: 'cancel', id: 1 });
    await settled();
    expect(frames).toMatchObject([{ kind: 'failure', id: 1, error: { code: 'cancelled' } }]);
  });

  it('of an unknown or answered call does nothing', async () => {
    const { frames, connection } = serve({ 'recent/forget': async () => null });
    connection.receive(forget(1));
    await settled();
    connection.receive({ kind: 'cancel', id: 1 });
    connection.receive({ kind: 'cancel', id: 99 });
    await settled();
    expect(frames).toEqual([{ kind: 'result', id: 1, output: null }]);
  });

  it('leaves an error that the handler knows as it is', async () => {
    const { frames, connection } = serve({
      'recent/forget': (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new CheckpointError('no-space', 'The disk is full.')))),
    });
    connection.receive(forget(1));
    connection.receive({ kind: 'cancel', id: 1 });
    await settled();
    expect(frames).toMatchObject([{ error: { code: 'no-space' } }]);
  });
});

describe('many calls', () => {
  it('run up to the limit, wait beyond it, and are refused beyond that', async () => {
    const releases: (() => void)[] = [];
    const { frames, connection } = serve({ 'recent/forget': () => new Promise((resolve) => releases.push(() => resolve(null))) });
    for (let id = 0; id < MAX_RUNNING + MAX_WAITING; id++) connection.receive(forget(id));
    expect(releases).toHaveLength(MAX_RUNNING);
    expect(frames).toEqual([]);

    connection.receive(forget(100_000));
    expect(frames).toMatchObject([{ kind: 'failure', id: 100_000, error: { code: 'invalid-request' } }]);

    connection.receive({ kind: 'cancel', id: MAX_RUNNING });
    expect(frames[1]).toMatchObject({ kind: 'failure', id: MAX_RUNNING, error: { code: 'cancelled' } });

    releases[0]?.();
    await settled();
    expect(releases).toHaveLength(MAX_RUNNING + 1);
    expect(frames[2]).toEqual({ kind: 'result', id: 0, output: null });
  });
});

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is thinned out, and the last one comes before the result', async () => {
    let report = (_done: number) => {};
    let finish = () => {};
    const { frames, connection } = serve({
      'recent/forget': (_input, { onProgress }) => {
        report = (done) => onProgress(progress(done));
        return new Promise((resolve) => (finish = () => resolve(null)));
      },
    });
    connection.receive(forget(1));
    for (let done = 0; done < 1000; done++) report(done);
    expect(frames).toMatchObject([{ kind: 'progress', id: 1, progress: { done: 0 } }]);
    await vi.advanceTimersByTimeAsync(60);
    expect(frames).toMatchObject([{ progress: { done: 0 } }, { progress: { done: 999 } }]);
    await vi.advanceTimersByTimeAsync(500);
    expect(frames).toHaveLength(2);
    report(1000);
    report(1001);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    report(1002);
    await vi.advanceTimersByTimeAsync(500);
    expect(frames.slice(2)).toEqual([
      { kind: 'progress', id: 1, progress: progress(1000) },
      { kind: 'progress', id: 1, progress: progress(1001) },
      { kind: 'result', id: 1, output: null },
    ]);
  });
});

describe('events', () => {
  it('are passed on until the connection is disposed', () => {
    const { frames, events, connection } = serve({});
    events.emit({ name: 'repository/changed', data: { repository: 'r1' } });
    connection.dispose();
    events.emit({ name: 'repository/changed', data: { repository: 'r2' } });
    expect(frames).toEqual([{ kind: 'event', name: 'repository/changed', data: { repository: 'r1' } }]);
  });
});

describe('dispose', () => {
  it('aborts what runs, starts nothing that waits, and sends nothing more', async () => {
    const signals: AbortSignal[] = [];
    const { frames, connection } = serve({
      'recent/forget': (_input, { signal }) => {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
      },
    });
    for (let id = 0; id < MAX_RUNNING + 5; id++) connection.receive(forget(id));
    connection.dispose();
    connection.receive(forget(1000));
    await settled();
    expect(signals).toHaveLength(MAX_RUNNING);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(frames).toEqual([]);
  });
});
