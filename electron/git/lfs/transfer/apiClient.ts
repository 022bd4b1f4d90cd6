import { type Access, authorizationIn } from './apiAccess';
import type { HttpClient } from './http/httpClient';
import { statusFailure } from './http/httpErrors';
import type { Headers, HttpAnswer, HttpBody } from './http/httpTypes';
import { readJson, readMessage, readText } from './http/readBody';
import { type RetryOptions, withRetries } from './http/transientFailure';

/** Answers of the API are some kilobytes for each object. */
const LARGEST_ANSWER = 16 * 1024 * 1024;
const MEDIA_TYPE = 'application/vnd.git-lfs+json';
/** What is left unread of an answer nobody needs is cut off with the connection. */
const LARGEST_REST = 64 * 1024;

export interface ApiClientOptions {
  readonly http: HttpClient;
  readonly access: Access;
  readonly retries: Omit<RetryOptions, 'signal'>;
}

export interface AuthorizedRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  /** Given by the server for this request; an Authorization among them is used instead of the user's own. */
  readonly headers: Headers;
  /** No credentials of the user are to go along. */
  readonly authenticated?: boolean;
  readonly body?: HttpBody;
  readonly signal?: AbortSignal | undefined;
}

interface PostOptions {
  /** To complete "refused to ...". */
  readonly what: string;
  readonly headers?: Headers;
  readonly authenticated?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Requests with the user's credentials, asked for when the server wants them. */
export class ApiClient {
  readonly retries: Omit<RetryOptions, 'signal'>;
  readonly #http: HttpClient;
  readonly #access: Access;

  constructor({ http, access, retries }: ApiClientOptions) {
    this.#http = http;
    this.#access = access;
    this.retries = retries;
  }

  api(signal?: AbortSignal): Promise<URL> {
    return this.#access.api(signal);
  }

  /** One request, sent again only with other credentials. @throws permission; as HttpClient.send */
  async send(request: AuthorizedRequest): Promise<HttpAnswer> {
    const given = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
    let anonymous = request.authenticated === true;
    for (;;) {
      const own = Object.fromEntries(
        Object.entries(this.#access.headers(request.url)).filter(
          ([name]) => !given.has(name.toLowerCase()) && !(anonymous && name.toLowerCase() === 'authorization'),
        ),
      );
      const answer = await this.#http.send({ ...request, headers: { ...own, ...request.headers } });
      const askedUs = answer.url.origin === request.url.origin && !given.has('authorization');
      if (answer.status !== 401 || !askedUs) {
        if (answer.status < 400 && askedUs && !anonymous) await this.#access.accepted(request.url);
        return answer;
      }
      answer.close();
      // What the server promised does not hold: it wants to know after all.
      if (anonymous) anonymous = false;
      else await this.#access.refused(request.url, { sent: authorizationIn(own), signal: request.signal });
    }
  }

  /** Posts JSON to the API and returns the JSON of the answer; tries again where that may help. */
  async post(url: URL, content: unknown, options: PostOptions): Promise<unknown> {
    const answer = await this.#posted(url, content, options);
    return readJson(answer, LARGEST_ANSWER);
  }

  /** The same, when only success counts. One attempt. @throws TransientFailure */
  async postOnce(url: URL, content: unknown, options: PostOptions): Promise<void> {
    await discard(await this.#postedOnce(url, content, options));
  }

  #posted(url: URL, content: unknown, options: PostOptions): Promise<HttpAnswer> {
    return withRetries(() => this.#postedOnce(url, content, options), { ...this.retries, signal: options.signal });
  }

  async #postedOnce(url: URL, content: unknown, options: PostOptions) {
    const bytes = Buffer.from(JSON.stringify(content), 'utf8');
    const answer = await this.send({
      method: 'POST',
      url,
      headers: { Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE, ...options.headers },
      body: { bytes: bytes.length, open: () => one(bytes) },
      authenticated: options.authenticated === true,
      signal: options.signal,
    });
    return requireSuccess(answer, options.what);
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The answer when it is a success. @throws what the refusal means, TransientFailure where trying again may help */
export async function requireSuccess(answer: HttpAnswer, what: string): Promise<HttpAnswer> {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw statusFailure(answer, what, await readMessage(answer));
}

/** Reads what is left of an answer, so that its connection can be used again. */
export async function discard(answer: HttpAnswer): Promise<void> {
  await readText(answer, LARGEST_REST).catch(() => {});
}
