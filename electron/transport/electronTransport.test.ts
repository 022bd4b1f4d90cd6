import type { WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../shared/base/emitter';
import { IPC_CHANNEL } from '../../shared/contract/transport';
import type { HostEvent } from '../handlers/handlers';
import { isAppUrl } from '../window/appUrl';
import { FakeContents, type FakeFrame } from '../window/testing/fakeContents';
import { attachTransport } from './electronTransport';
import { handlersWith } from './testing/handlersWith';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function attach() {
  const contents = new FakeContents();
  const events = new Emitter<HostEvent>();
  const signals: AbortSignal[] = [];
  const handlers = handlersWith({
    'recent/list': async () => [],
    'recent/forget': (_input, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  });
  const transport = attachTransport(contents as unknown as WebContents, { handlers, events, isOwnUrl: isAppUrl });
  const receive = (frame: unknown, senderFrame: FakeFrame | null = contents.mainFrame) => contents.ipc.emit(IPC_CHANNEL, { senderFrame }, frame);
  return { contents, events, transport, signals, receive };
}

const list = { kind: 'call', id: 1, method: 'recent/list', input: {} };
const endless = { kind: 'call', id: 2, method: 'recent/forget', input: { path: '/a' } };
const main: FakeFrame = { url: 'app://theta/', parent: null, frameTreeNodeId: 1 };

describe('the transport of a window', () => {
  it('answers its own page', async () => {
    const { contents, receive } = attach();
    receive(list);
    await settled();
    expect(contents.sent).toEqual([{ channel: IPC_CHANNEL, frame: { kind: 'result', id: 1, output: [] } }]);
  });

  it.each<[string, FakeFrame | null]>([
    ['a frame that has gone', null],
    ['another page in the main frame', { ...main, url: 'https://evil.example/' }],
    ['a page that only begins like ours', { ...main, url: 'app://theta.evil.example/' }],
    ['our host under another scheme', { ...main, url: 'http://theta/' }],
    ['another host of our scheme', { ...main, url: 'app://other/' }],
    ['a file', { ...main, url: 'file:///app://theta/' }],
    ['an empty page', { ...main, url: 'about:blank' }],
    ['no page', { ...main, url: '' }],
    ['a frame inside ours', { url: 'app://theta/', parent: main, frameTreeNodeId: 7 }],
    ['the main frame of another window', { ...main, frameTreeNodeId: 9 }],
  ])('does not hear %s', async (_name, frame) => {
    const { contents, receive } = attach();
    receive(list, frame);
    await settled();
    expect(contents.sent).toEqual([]);
  });

  it.each([
    ['loads another page', (contents: FakeContents) => contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })],
    ['crashes', (contents: FakeContents) => contents.emit('render-process-gone', {}, { reason: 'crashed' })],
    ['closes', (contents: FakeContents) => contents.emit('destroyed')],
  ])('aborts what runs when the page %s, and serves the next one', async (_name, leave) => {
    const { contents, receive, signals } = attach();
    receive(endless);
    leave(contents);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    receive(list);
    await settled();
    expect(contents.sent).toHaveLength(1);
  });

  it('keeps what runs when the page moves within itself or a frame loads', () => {
    const { contents, receive, signals } = attach();
    receive(endless);
    contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    contents.emit('did-start-navigation', { isMainFrame: false, isSameDocument: false });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('holds events for the window back until its page listens', async () => {
    const { contents, transport, receive } = attach();
    const event: HostEvent = { name: 'open/path', data: { path: '/a' } };
    transport.emit(event);
    expect(contents.sent).toEqual([]);
    receive(list);
    transport.emit(event);
    await settled();
    expect(contents.sent.map(({ frame }) => frame)).toEqual([
      { kind: 'event', ...event },
      { kind: 'event', ...event },
      { kind: 'result', id: 1, output: [] },
    ]);
  });

  it('passes the events of the host on', () => {
    const { contents, events, receive } = attach();
    receive({ kind: 'cancel', id: 1 });
    events.emit({ name: 'repository/changed', data: { repository: 'r' } });
    expect(contents.sent).toMatchObject([{ frame: { kind: 'event', name: 'repository/changed' } }]);
  });

  it('hears nothing after it was disposed, and sends nothing to a window that is gone', () => {
    const { contents, transport, events, receive, signals } = attach();
    receive(endless);
    contents.destroyed = true;
    events.emit({ name: 'repository/changed', data: { repository: 'r' } });
    contents.destroyed = false;
    transport.dispose();
    receive(endless);
    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(contents.sent).toEqual([]);
    expect(contents.ipc.listenerCount(IPC_CHANNEL)).toBe(0);
  });
});
