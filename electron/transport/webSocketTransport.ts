import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { HostFrame } from '../../shared/contract/frames';
import { CLOSE_GOING_AWAY, decodeFrame, encodeFrame, HEARTBEAT_MS, SILENCE_MS } from '../../shared/contract/wire';
import type { Handlers, HostEvents } from '../handlers/handlers';
import { connect } from './dispatcher';

/** What a window sends is paths, hashes and names; the largest request renames everything in a model, some 100 B for each name. */
const MAX_MESSAGE_BYTES = 32 << 20;
const MAX_SOCKETS = 64;
/** Beyond this much unsent, news that will be outdated when it arrives is left out ... */
const BUSY_BYTES = 1 << 20;
/** ... and beyond this much the window does not read at all: its connection is ended before it takes the host's memory. */
const STALLED_BYTES = 256 << 20;

/** Close codes of RFC 6455, 7.4.1. */
const CLOSE_UNSUPPORTED = 1003;
const CLOSE_INVALID = 1007;
const CLOSE_TRY_LATER = 1013;

export interface WebSocketTransport {
  /** Takes over a connection whose HTTP request was found to be allowed. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly connections: number;
  close(): void;
}

export interface WebSocketOptions {
  readonly handlers: Handlers;
  readonly events: HostEvents;
  /** Other intervals than the contract's, for tests. */
  readonly heartbeatMs?: number;
  readonly silenceMs?: number;
}

/** One dispatcher connection per socket; a window that went silent is noticed and what it asked for is aborted. */
export function createWebSocketTransport(options: WebSocketOptions): WebSocketTransport {
  const { handlers, events, heartbeatMs = HEARTBEAT_MS, silenceMs = SILENCE_MS } = options;
  const server = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  const heardAt = new Map<WebSocket, number>();

  const heartbeat = setInterval(() => {
    const now = performance.now();
    for (const [socket, heard] of heardAt) {
      if (now - heard > silenceMs) socket.terminate();
      else if (socket.readyState === socket.OPEN && socket.bufferedAmount < BUSY_BYTES) {
        socket.ping();
        socket.send(new Uint8Array(0));
      }
    }
  }, heartbeatMs);
  // A host with nothing else to do may end.
  heartbeat.unref();

  const open = (socket: WebSocket) => {
    // First of all: an error that nobody listens to ends the process. The handler of 'close' follows every error.
    socket.on('error', () => socket.terminate());
    if (heardAt.size >= MAX_SOCKETS) return socket.close(CLOSE_TRY_LATER, 'too many windows');
    heardAt.set(socket, performance.now());
    const connection = connect(handlers, (frame) => sendFrame(socket, frame), events);
    socket.on('message', (data, isBinary) => {
      heardAt.set(socket, performance.now());
      if (!isBinary) return socket.close(CLOSE_UNSUPPORTED, 'frames are binary');
      try {
        const frame = decodeFrame(asBytes(data));
        if (frame !== null) connection.receive(frame);
      } catch {
        socket.close(CLOSE_INVALID, 'not a frame');
      }
    });
    socket.on('pong', () => heardAt.set(socket, performance.now()));
    socket.on('close', () => {
      heardAt.delete(socket);
      connection.dispose();
    });
  };

  return {
    upgrade: (request, socket, head) => server.handleUpgrade(request, socket, head, open),
    get connections() {
      return heardAt.size;
    },
    close() {
      clearInterval(heartbeat);
      for (const socket of heardAt.keys()) {
        socket.close(CLOSE_GOING_AWAY, 'the host ended');
        // A peer that does not answer the close must not keep the host alive.
        setTimeout(() => socket.terminate(), 500).unref();
      }
      server.close();
    },
  };
}

function sendFrame(socket: WebSocket, frame: HostFrame): void {
  if (socket.readyState !== socket.OPEN) return;
  if (frame.kind === 'progress' && socket.bufferedAmount > BUSY_BYTES) return;
  if (socket.bufferedAmount > STALLED_BYTES) socket.terminate();
  else socket.send(encodeFrame(frame));
}

function asBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
