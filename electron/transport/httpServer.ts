import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { CheckpointError } from '../../shared/contract/errors';
import { SOCKET_PATH, UPLOAD_PATH } from '../../shared/contract/wire';
import { type Credentials, cookieName, createCredentials, isToken, OneTimeTokens, readCookie, sessionCookie } from './accessToken';
import { answerUpload } from './answerUpload';
import { forwardPage, REFUSALS, type Refusal, refusalPage } from './refusalPage';
import { isLoopbackHost, isOwnOrigin } from './requestGuard';
import { createNonce, securityHeaders } from './securityHeaders';
import { findStaticFile, readStaticFile } from './staticFiles';
import { createUploads } from './uploads';
import { createWebSocketTransport, type WebSocketOptions } from './webSocketTransport';

/** The only address that is listened on; other machines come through a tunnel that somebody with an account here made. */
const LOOPBACK = '127.0.0.1';

export interface HttpServerOptions extends WebSocketOptions {
  /** Folder with the built window. */
  readonly rendererFolder: string;
  /** Where files go that browsers send; `null`: none are taken. */
  readonly uploadFolder: string | null;
  /** 0: any free one. */
  readonly port: number;
  /** By default every start has its own. */
  readonly credentials?: Credentials;
}

export interface HttpServer {
  readonly port: number;
  /** Address with the token: whoever knows it may use this host. */
  readonly url: string;
  /** An address that works once, within a minute. */
  oneTimeUrl(): string;
  /** Windows that are connected now. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Serves the window and its socket to browsers on this machine that know the token. Throws `conflict` where the port is in use. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { token, session } = options.credentials ?? createCredentials();
  const oneTimeTokens = new OneTimeTokens(60_000);
  const sockets = createWebSocketTransport(options);
  const uploads = options.uploadFolder === null ? null : createUploads({ folder: options.uploadFolder });
  let port = options.port;

  const isUpload = (request: IncomingMessage) => uploads !== null && pathOf(request) === UPLOAD_PATH;
  /** What is wrong with who asks, apart from the session. */
  const judge = (request: IncomingMessage): Refusal | null => {
    const { host, origin } = request.headers;
    if (!isLoopbackHost(host, port)) return 'wrong-host';
    if (origin !== undefined && !isOwnOrigin(origin, host)) return 'wrong-origin';
    if (isUpload(request)) {
      // Unlike a page, what changes something is refused without `Origin`: every browser sends it.
      return origin === undefined ? 'wrong-origin' : request.method === 'POST' || request.method === 'DELETE' ? null : 'wrong-method';
    }
    return request.method === 'GET' || request.method === 'HEAD' ? null : 'wrong-method';
  };
  const hasSession = (request: IncomingMessage) => isToken(readCookie(request.headers.cookie, cookieName(port)), session);

  /**
   * Token for cookie. A redirect that began on another site (a notebook, a web terminal) would not carry a strict cookie,
   * so there the browser first gets a page of ours, which then moves on by itself.
   */
  const exchange = (request: IncomingMessage, answer: Answer) => {
    const site = request.headers['sec-fetch-site'];
    answer.headers['Set-Cookie'] = sessionCookie(port, session);
    if (site === 'cross-site' || site === 'same-site') return respond(answer, { status: 200, type: 'text/html; charset=utf-8', body: forwardPage() });
    answer.headers.Location = '/';
    respond(answer, { status: 303, type: 'text/plain; charset=utf-8', body: '' });
  };

  const serve = async (request: IncomingMessage, answer: Answer) => {
    const refusal = judge(request);
    if (refusal !== null) return refuse(answer, refusal, isUpload(request) ? 'POST, DELETE' : 'GET, HEAD');
    // Not by `URL`: it resolves dots, and what a path means is judged in one place only.
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const given = new URLSearchParams(query).get('token');
    if (given !== null && path === '/' && request.method === 'GET') {
      if (isToken(given, token) || oneTimeTokens.redeem(given)) return exchange(request, answer);
      return refuse(answer, 'wrong-token');
    }
    if (!hasSession(request)) return refuse(answer, 'no-token');
    if (uploads !== null && isUpload(request)) return answerUpload(request, query, { uploads, respond: (content) => respond(answer, content) });
    const file = await findStaticFile(options.rendererFolder, path);
    if (file === null) return refuse(answer, path === '/' ? 'not-built' : 'not-found');
    if (file.immutable) answer.headers['Cache-Control'] = 'private, max-age=31536000, immutable';
    respond(answer, { status: 200, type: file.type, body: await readStaticFile(file, answer.nonce) });
  };

  const server = createServer((request, response) => {
    const nonce = createNonce();
    const connectTo = isLoopbackHost(request.headers.host, port) ? [`ws://${request.headers.host}`] : [];
    const headers = { ...securityHeaders({ styleNonce: nonce, connect: connectTo }), 'Cache-Control': 'no-store' };
    const answer: Answer = { response, nonce, headers, withBody: request.method !== 'HEAD' };
    serve(request, answer).catch(() => {
      if (!response.headersSent) refuse(answer, 'failed');
      else response.destroy();
    });
    if (request.method !== 'GET' && request.method !== 'HEAD') endUnread(request, response);
  });
  // Five minutes by default, which a large upload takes longer than; the head of a request still has its limit.
  server.requestTimeout = 0;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Unlike a page, a socket without `Origin` is refused: every browser sends it.
    const refusal = judge(request) ?? (request.headers.origin === undefined ? 'wrong-origin' : hasSession(request) ? null : 'no-token');
    if (refusal !== null || pathOf(request) !== SOCKET_PATH) return refuseUpgrade(socket, refusal ?? 'not-found');
    sockets.upgrade(request, socket, head);
  });

  try {
    port = await listen(server, options.port);
  } catch (error) {
    sockets.close();
    await uploads?.close();
    throw error;
  }
  return {
    port,
    url: `http://${LOOPBACK}:${port}/?token=${token}`,
    oneTimeUrl: () => `http://${LOOPBACK}:${port}/?token=${oneTimeTokens.issue()}`,
    get connections() {
      return sockets.connections;
    },
    async close() {
      sockets.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      });
      await uploads?.close();
    },
  };
}

interface Answer {
  readonly response: ServerResponse;
  readonly nonce: string;
  readonly headers: Record<string, string>;
  readonly withBody: boolean;
}

function respond(answer: Answer, content: { readonly status: number; readonly type: string; readonly body: string | Uint8Array }): void {
  const { response, headers, withBody } = answer;
  response.writeHead(content.status, { ...headers, 'Content-Type': content.type, 'Content-Length': Buffer.byteLength(content.body) });
  response.end(withBody ? content.body : undefined);
}

/** The path as it was sent, dots and escapes included. */
function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?', 1)[0];
}

/** How long a body that nobody wants may still come in: a browser reads the answer only when it has sent what it was sending. */
const LINGER_MS = 2000;

/** Ends a connection whose body was not read to its end, a moment after the answer. */
function endUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.destroy();
    }, LINGER_MS).unref();
  });
}

function refuse(answer: Answer, refusal: Refusal, allow = 'GET, HEAD'): void {
  if (refusal === 'wrong-method') answer.headers.Allow = allow;
  respond(answer, { status: REFUSALS[refusal].status, type: 'text/html; charset=utf-8', body: refusalPage(refusal, answer.nonce) });
}

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const { status, title } = REFUSALS[refusal];
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(title)}\r\n\r\n${title}`,
  );
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenError(error, port));
    server.once('error', onError);
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off('error', onError);
      const address: AddressInfo | string | null = server.address();
      if (address === null || typeof address === 'string') return reject(new CheckpointError('internal', 'The server has no port.'));
      resolve(address.port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number): CheckpointError {
  if (error.code === 'EADDRINUSE') {
    return new CheckpointError('conflict', `Port ${port} is in use by another program.`, {
      hint: 'Choose another one with --port N, or any free one with --port 0.',
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new CheckpointError('permission', `Port ${port} may not be opened by this user.`, { hint: 'Choose one above 1023 with --port N.', cause: error });
  }
  return new CheckpointError('internal', `The server cannot listen on port ${port}: ${error.message}.`, { cause: error });
}
