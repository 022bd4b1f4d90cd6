import { describe, expect, it } from 'vitest';
import { TRANSPORT_GLOBAL } from '../../shared/contract/transport';
import { socketUrl } from './connect';
import { electronTransport } from './electronTransport';

describe('electronTransport', () => {
  it.each([[{}], [{ [TRANSPORT_GLOBAL]: null }], [{ [TRANSPORT_GLOBAL]: { send() {} } }], [{ [TRANSPORT_GLOBAL]: 'text' }]])(
    'is none on a window with %j',
    (scope) => {
      expect(electronTransport(scope)).toBeNull();
    },
  );

  it('carries frames and removes its listener', () => {
    const sent: unknown[] = [];
    const listeners = new Set<(frame: unknown) => void>();
    const exposed = {
      send: (frame: unknown) => sent.push(frame),
      onFrame: (listener: (frame: unknown) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      pathForFile: () => '/dropped',
    };
    const transport = electronTransport({ [TRANSPORT_GLOBAL]: exposed });
    const seen: unknown[] = [];
    const registration = transport?.onFrame((frame) => seen.push(frame));
    transport?.send(1);
    for (const listener of listeners) listener(2);
    registration?.dispose();
    expect([sent, seen, listeners.size, transport?.status, transport?.pathForFile?.(new File([], 'x'))]).toEqual([[1], [2], 0, 'open', '/dropped']);
  });
});

describe('socketUrl', () => {
  it('goes to where the page came from, encrypted when the page was', () => {
    expect(socketUrl({ protocol: 'http:', host: '127.0.0.1:4000' })).toBe('ws://127.0.0.1:4000/socket');
    expect(socketUrl({ protocol: 'https:', host: 'box' })).toBe('wss://box/socket');
  });
});
