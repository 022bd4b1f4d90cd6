import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { cancelledError, throwIfCancelled } from '../../../../../shared/contract/cancelled';
import { CheckpointError } from '../../../../../shared/contract/errors';
import { networkFailure } from './httpErrors';
import type { Headers, HttpAnswer, HttpRequest } from './httpTypes';
import type { TlsSettings } from './tlsSettings';

export interface HttpClient {
  /** @throws cancelled, disconnected, invalid-request for too many or forbidden redirects; TransientFailure where trying again may help */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

export interface HttpClientOptions {
  /** Milliseconds without a byte in either direction after which a server counts as gone. */
  readonly idle: number;
  /** Connections to one server at most. */
  readonly connections: number;
  readonly tls: (url: URL) => Promise<TlsSettings>;
}

const MAX_REDIRECTS = 10;
/** All that another host gets to see of a redirected request. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-encoding', 'content-type', 'content-length', 'range', 'user-agent']);

/** HTTP with streams in both directions: nothing is held in memory. Redirects are followed, but carry headers that may be secret to no other host. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: options.connections }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: options.connections }),
  };
  return {
    async send(request) {
      let current = request;
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const answer = await sendOnce(current, options, agents);
        const location = answer.headers.location;
        if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
        answer.close();
        current = redirected(current, location, answer.status);
      }
      throw new CheckpointError('invalid-request', `The server ${request.url.host} redirects in a circle, or more than ${MAX_REDIRECTS} times.`);
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function redirected(request: HttpRequest, location: string, status: number): HttpRequest {
  const from = request.url;
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw new CheckpointError('invalid-request', `The server ${from.host} redirects to an address that is none.`, { detail: location.slice(0, 500) });
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new CheckpointError('invalid-request', `The server ${from.host} redirects from https to http: ${to.host}.`, { hint: 'Nothing was sent there.' });
  }
  to.username = '';
  to.password = '';
  const headers = to.origin === from.origin ? request.headers : harmless(request.headers);
  if (status !== 303 || request.method === 'GET') return { ...request, url: to, headers };
  const { body: _, ...rest } = request;
  return { ...rest, method: 'GET', url: to, headers };
}

function harmless(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())));
}

async function sendOnce(
  request: HttpRequest,
  options: HttpClientOptions,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
): Promise<HttpAnswer> {
  const { url, method, body, signal } = request;
  throwIfCancelled(signal);
  const secure = url.protocol === 'https:';
  const settings: RequestOptions = { method, headers: outgoing(request), timeout: options.idle };
  const target = new URL(url.href);
  target.username = '';
  target.password = '';
  const tls = secure ? await options.tls(url) : {};
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const outgoingRequest = secure
      ? httpsRequest(target, { ...settings, ...tls, agent: agents.https })
      : httpRequest(target, { ...settings, agent: agents.http });
    const gone = () => outgoingRequest.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    outgoingRequest.on('timeout', gone);
    stop.signal.addEventListener('abort', () => outgoingRequest.destroy(), { once: true });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      outgoingRequest.once('response', resolve);
      // Stays for the life of the request: a connection may also fail after the answer has begun.
      outgoingRequest.on('error', reject);
      outgoingRequest.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
    const sent = body === undefined ? null : pipeline(body.open(), outgoingRequest, { signal: stop.signal });
    if (sent === null) outgoingRequest.end();
    // A refusal may come before all is sent, and the server then stops reading: the answer counts, not the broken pipe.
    const failedToSend =
      sent === null
        ? new Promise<never>(() => {})
        : sent.then(
            () => new Promise<never>(() => {}),
            (error: unknown) => ownFault(error, response),
          );
    const message = await Promise.race([response, failedToSend]);
    message.once('close', () => signal?.removeEventListener('abort', abort));
    message.on('error', () => {});
    return { status: message.statusCode ?? 0, headers: message.headers, url, body: message, close: () => void message.destroy() };
  } catch (error) {
    signal?.removeEventListener('abort', abort);
    stop.abort();
    if (signal?.aborted === true) throw cancelledError(error);
    throw networkFailure(error, url);
  }
}

/** The body could not be read: that error. The connection broke: what the request says of it, or its answer. */
async function ownFault(error: unknown, response: Promise<IncomingMessage>): Promise<IncomingMessage> {
  if (error instanceof CheckpointError) {
    response.catch(() => {});
    throw error;
  }
  return response;
}

function outgoing({ headers, body }: HttpRequest): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = { 'User-Agent': 'theta-desktop', 'Accept-Encoding': 'identity' };
  for (const [name, value] of Object.entries(headers)) all[name] = typeof value === 'string' ? value : [...value];
  const chunked = Object.keys(all).some((name) => name.toLowerCase() === 'transfer-encoding');
  if (body !== undefined && !chunked) all['Content-Length'] = String(body.bytes);
  return all;
}
