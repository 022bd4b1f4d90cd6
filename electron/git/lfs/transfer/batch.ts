import * as v from 'valibot';
import { CheckpointError, type ErrorCode } from '../../../../shared/contract/errors';
import type { ApiClient } from './apiClient';
import type { TransferOperation } from './endpoint';
import { expiry } from './sshAuthenticate';
import type { TransferObject } from './transferTypes';

/** Objects asked for in one request (git-lfs's own number). */
export const BATCH_SIZE = 100;

export interface Action {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; `null`: never. */
  readonly expires: number | null;
  /** The server says that who may do this is settled: no credentials of the user go along. */
  readonly authenticated: boolean;
}

/** What the server wants done with an object; `action` is null when it has the object (upload). */
export type BatchItem =
  | { readonly object: TransferObject; readonly action: Action | null; readonly verify: Action | null }
  | { readonly object: TransferObject; readonly error: CheckpointError };

const actionSchema = v.object({
  href: v.string(),
  header: v.optional(v.nullable(v.record(v.string(), v.string()))),
  expires_in: v.optional(v.nullable(v.number())),
  expires_at: v.optional(v.nullable(v.string())),
});
const answerSchema = v.object({
  transfer: v.optional(v.nullable(v.string())),
  hash_algo: v.optional(v.nullable(v.string())),
  objects: v.array(
    v.object({
      oid: v.string(),
      authenticated: v.optional(v.nullable(v.boolean())),
      actions: v.optional(v.nullable(v.object({ upload: v.optional(actionSchema), download: v.optional(actionSchema), verify: v.optional(actionSchema) }))),
      error: v.optional(v.nullable(v.object({ code: v.optional(v.number()), message: v.optional(v.string()) }))),
    }),
  ),
});
type AnsweredObject = v.InferOutput<typeof answerSchema>['objects'][number];

export interface BatchQuery {
  readonly operation: TransferOperation;
  readonly ref?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the server what is to be done with at most `BATCH_SIZE` objects (docs/api/batch.md). Answers in the order of the question; what the
 * server says of objects that nobody asked for is ignored, and only their oids and sizes as we know them count.
 * @throws malformed for an answer that is none; permission, not-found, disconnected, invalid-request as the server refuses
 */
export async function requestBatch(client: ApiClient, objects: readonly TransferObject[], query: BatchQuery): Promise<readonly BatchItem[]> {
  const { operation, ref, signal } = query;
  const api = await client.api(signal);
  const url = new URL(api.href);
  url.pathname = `${api.pathname.replace(/\/$/, '')}/objects/batch`;
  const content = {
    operation,
    transfers: ['basic'],
    ...(ref === undefined ? {} : { ref: { name: ref } }),
    objects: objects.map(({ oid, bytes }) => ({ oid, size: bytes })),
    hash_algo: 'sha256',
  };
  let answered: unknown;
  try {
    answered = await client.post(url, content, { what: operation === 'upload' ? 'take the objects' : 'give the objects', signal });
  } catch (error) {
    const refused = CheckpointError.from(error);
    if (refused.code !== 'too-large' || objects.length <= 1) throw refused;
    const half = Math.ceil(objects.length / 2);
    return [...(await requestBatch(client, objects.slice(0, half), query)), ...(await requestBatch(client, objects.slice(half), query))];
  }
  const parsed = v.safeParse(answerSchema, answered);
  if (!parsed.success)
    throw malformed(url, `the answer does not follow the protocol (${v.getDotPath(parsed.issues[0]) ?? 'root'}: ${parsed.issues[0].message})`);
  const { transfer, hash_algo, objects: known } = parsed.output;
  if (transfer !== null && transfer !== undefined && transfer !== 'basic')
    throw malformed(url, `it wants the transfer ${JSON.stringify(transfer.slice(0, 40))}, which was not offered`);
  if (hash_algo !== null && hash_algo !== undefined && hash_algo !== 'sha256')
    throw malformed(url, `it names objects by ${JSON.stringify(hash_algo.slice(0, 40))} instead of sha256`);
  const byOid = new Map(known.map((object) => [object.oid, object]));
  return objects.map((object) => itemOf(object, byOid.get(object.oid), { url, operation }));
}

function itemOf(
  object: TransferObject,
  answered: AnsweredObject | undefined,
  context: { readonly url: URL; readonly operation: TransferOperation },
): BatchItem {
  const { url, operation } = context;
  const short = object.oid.slice(0, 12);
  if (answered === undefined) return { object, error: malformed(url, `it does not speak of the object ${short}`).at({ oid: object.oid }) };
  if (answered.error !== null && answered.error !== undefined) return { object, error: objectError(object, answered.error, url) };
  try {
    const action = answered.actions?.[operation];
    const verify = answered.actions?.verify;
    const authenticated = answered.authenticated === true;
    if (action === undefined && operation === 'download')
      return { object, error: objectError(object, { code: 404, message: 'It gives no address for it.' }, url) };
    return {
      object,
      action: action === undefined ? null : actionOf(action, authenticated, url),
      verify: verify === undefined ? null : actionOf(verify, authenticated, url),
    };
  } catch (error) {
    return { object, error: CheckpointError.from(error).at({ oid: object.oid }) };
  }
}

/** Headers that concern the connection, which is ours. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length', 'expect', 'upgrade', 'te', 'trailer', 'keep-alive', 'proxy-authorization']);

function actionOf({ href, header, ...times }: v.InferOutput<typeof actionSchema>, authenticated: boolean, server: URL): Action {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw malformed(server, `it names an address that is none of http or https: ${href.slice(0, 100)}`);
  if (server.protocol === 'https:' && url.protocol === 'http:' && url.hostname !== server.hostname && !isLoopback(url)) {
    throw malformed(server, `it answers over https, but wants objects to travel in the open to ${url.host}`);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(header ?? {})) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a header cannot hold
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      throw malformed(server, 'it gives a header that is none');
    if (!CONNECTION_HEADERS.has(name.toLowerCase())) headers[name] = value;
  }
  return { url, headers, expires: expiry(times), authenticated };
}

function isLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}

const OBJECT_ERRORS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  404: ['missing-object', 'does not have it'],
  409: ['invalid-request', 'names objects by another hash'],
  410: ['missing-object', 'had it removed by its owner'],
  422: ['invalid-request', 'says that its name or size is wrong'],
};

function objectError(
  object: TransferObject,
  { code = 0, message = '' }: { readonly code?: number | undefined; readonly message?: string | undefined },
  url: URL,
): CheckpointError {
  const known = OBJECT_ERRORS[code];
  const [errorCode, what] = known ?? (['disconnected', `cannot deal with it (${code})`] as const);
  const said = message === '' || known !== undefined ? '' : ` It says: ${message.slice(0, 300)}`;
  return new CheckpointError(errorCode, `The object ${object.oid.slice(0, 12)} cannot be had or kept there: the server ${url.host} ${what}.${said}`, {
    place: { oid: object.oid },
    detail: message.slice(0, 2000),
  });
}

function malformed(url: URL, what: string): CheckpointError {
  return new CheckpointError('malformed', `The server ${url.host} is no proper Git LFS server: ${what}.`);
}
