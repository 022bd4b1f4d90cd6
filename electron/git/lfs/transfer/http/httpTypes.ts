import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface HttpBody {
  readonly bytes: number;
  /** Called for each time that it is sent. */
  open(): AsyncIterable<Uint8Array>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: HttpBody;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Address that answered in the end. */
  readonly url: URL;
  /** Read it to its end, or call `close`. Bytes as the server sent them. */
  readonly body: IncomingMessage;
  close(): void;
}
