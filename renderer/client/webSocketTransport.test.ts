import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeFrame, encodeFrame, SILENCE_MS } from '../../shared/contract/wire';
import { retryDelay } from './retryDelay';
import { type Socket, WebSocketTransport } from './webSocketTransport';

class FakeSocket implements Socket {
  binaryType: BinaryType = 'blob';
  readyState = 0;
  readonly sent: Uint8Array[] = [];
  closed = false;
  readonly #listeners: [type: string, listener: (event: MessageEvent<unknown>) => void][] = [];
  send(data: Uint8Array) {
    this.sent.push(data);
  }
  close() {
    this.closed = true;
  }
  addEventListener(type: string, listener: (event: MessageEvent<unknown>) => void) {
    this.#listeners.push([type, listener]);
  }
  fire(type: 'open' | 'close' | 'error' | 'message', data?: unknown) {
    this.readyState = type === 'open' ? 1 : this.readyState;
    for (const [of, listener] of this.#listeners) if (of === type) listener({ data } as MessageEvent<unknown>);
  }
  receive(frame: unknown) {
    this.fire('message', encodeFrame(frame).buffer);
  }
}

function setUp() {
  const sockets: FakeSocket[] = [];
  const statuses: string[] = [];
  const frames: unknown[] = [];
  let wake = () => {};
  const transport = new WebSocketTransport({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    onWake: (listener) => {
      wake = listener;
      return () => {
        wake = () => {};
      };
    },
  });
  transport.onStatus((status) => statuses.push(status));
  transport.onFrame((frame) => frames.push(frame));
  const last = () => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error('no socket was opened');
    return socket;
  };
  return { transport, sockets, statuses, frames, last, wake: () => wake() };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('WebSocketTransport', () => {
  it('connects, and carries frames with typed arrays both ways', () => {
    const { transport, frames, statuses, last } = setUp();
    expect(transport.status).toBe('connecting');
    last().fire('open');
    expect(statuses).toEqual(['open']);
    const frame = { kind: 'result', id: 1, output: { counts: new Float64Array([1, Number.NaN, -0]), none: null } };
    transport.send(frame);
    expect(decodeFrame(last().sent[0] ?? new Uint8Array())).toEqual(frame);
    last().receive(frame);
    expect(frames).toEqual([frame]);
  });

  it('ignores heartbeats and texts', () => {
    const { frames, last } = setUp();
    last().fire('open');
    last().fire('message', new ArrayBuffer(0));
    last().fire('message', 'text');
    expect(frames).toEqual([]);
  });

  it('sends nothing while not open', () => {
    const { transport, last } = setUp();
    transport.send({ kind: 'cancel', id: 1 });
    expect(last().sent).toEqual([]);
  });

  it('tries again ever more slowly, and quickly again after a success', () => {
    const { transport, sockets, statuses, last } = setUp();
    last().fire('open');
    for (const [attempt, delay] of [retryDelay(0), retryDelay(1), retryDelay(2)].entries()) {
      last().fire('close');
      expect(transport.retryAt).toBe(Date.now() + delay);
      vi.advanceTimersByTime(delay - 1);
      expect(sockets).toHaveLength(attempt + 1);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(attempt + 2);
    }
    expect(statuses).toEqual(['open', 'lost']);
    last().fire('open');
    last().fire('close');
    expect(transport.retryAt).toBe(Date.now() + retryDelay(0));
  });

  it('counts an error and the close after it as one loss', () => {
    const { sockets, last, transport } = setUp();
    last().fire('error');
    last().fire('close');
    expect(transport.retryAt).toBe(Date.now() + retryDelay(0));
    vi.advanceTimersByTime(retryDelay(0));
    expect(sockets).toHaveLength(2);
  });

  it('takes silence for a loss, and any message for life', () => {
    const { transport, last } = setUp();
    const first = last();
    first.fire('open');
    vi.advanceTimersByTime(SILENCE_MS - 1);
    first.fire('message', new ArrayBuffer(0));
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(transport.status).toBe('open');
    vi.advanceTimersByTime(1);
    expect(transport.status).toBe('lost');
    expect(first.closed).toBe(true);
  });

  it('no longer listens to a socket that was given up', () => {
    const { transport, frames, sockets, last } = setUp();
    const first = last();
    first.fire('open');
    first.fire('close');
    vi.advanceTimersByTime(retryDelay(0));
    last().fire('open');
    first.receive({ kind: 'result', id: 1, output: null });
    first.fire('close');
    expect(frames).toEqual([]);
    expect(transport.status).toBe('open');
    expect(sockets).toHaveLength(2);
  });

  it('reconnects at once when asked or when the machine wakes up, but leaves an open socket alone', () => {
    const { transport, sockets, last, wake } = setUp();
    last().fire('open');
    wake();
    transport.retryNow();
    expect(sockets).toHaveLength(1);
    last().fire('close');
    wake();
    expect(sockets).toHaveLength(2);
    last().fire('close');
    transport.retryNow();
    expect(sockets).toHaveLength(3);
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(sockets).toHaveLength(3);
  });

  it('is quiet after it was disposed', () => {
    const { transport, sockets, last } = setUp();
    last().fire('close');
    transport.dispose();
    vi.advanceTimersByTime(10 * SILENCE_MS);
    expect(sockets).toHaveLength(1);
  });
});

describe('retryDelay', () => {
  it('doubles up to 15 s and stays there', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 1e9].map(retryDelay)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });
});
