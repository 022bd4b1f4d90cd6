import { CheckpointError, type ErrorCode } from '../../../../../shared/contract/errors';
import { systemCode } from '../../../../bytes/systemCode';
import type { HttpAnswer } from './httpTypes';
import { TransientFailure } from './transientFailure';

const TRANSIENT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ENETRESET']);
const TRANSIENT_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/** What went wrong between the machines: to be tried again where that may help. */
export function networkFailure(error: unknown, url: URL): CheckpointError | TransientFailure {
  if (error instanceof CheckpointError || error instanceof TransientFailure) return error;
  const code = systemCode(error) ?? '';
  const known = failureOf(code, url);
  const failed = new CheckpointError('disconnected', known?.message ?? `The connection to ${url.host} failed.`, {
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
  });
  return TRANSIENT_CODES.has(code) ? new TransientFailure(failed) : failed;
}

function failureOf(code: string, url: URL): { readonly message: string; readonly hint?: string } | null {
  if (code === 'ECONNREFUSED') return { message: `Nothing answers at ${url.host}.`, hint: 'Is the server running, and the address right?' };
  if (code === 'ENOTFOUND') return { message: `There is no machine called ${url.hostname}.`, hint: 'Check the address of the remote and the network.' };
  if (code === 'ETIMEDOUT') return { message: `The server ${url.host} stopped answering.`, hint: 'lfs.activitytimeout says how many seconds to wait.' };
  if (/^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_)/.test(code)) {
    return {
      message: `The certificate of ${url.host} is not trusted (${code}).`,
      hint: 'Name the file with its certificate authority in http.sslCAInfo, or in the environment variable NODE_EXTRA_CA_CERTS.',
    };
  }
  if (/^(?:HPE_|ERR_SSL_|EPROTO)/.test(code)) return { message: `${url.host} does not speak ${url.protocol.slice(0, -1)} at this port.` };
  return null;
}

/** An answer that is a refusal. `message` as the server's JSON says it, if it does. */
export function statusFailure(
  answer: Pick<HttpAnswer, 'status' | 'headers' | 'url'>,
  what: string,
  message: string | null,
): CheckpointError | TransientFailure {
  const { status, url } = answer;
  const said = message === null ? '' : ` The server says: ${message}`;
  const error = new CheckpointError(codeOf(status), `The server ${url.host} refused to ${what} (HTTP ${status}).${said}`, hintOf(status));
  return TRANSIENT_STATUS.has(status) ? new TransientFailure(error, retryAfter(answer.headers['retry-after'], Date.now())) : error;
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403 || status === 407) return 'permission';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 413) return 'too-large';
  if (status === 507 || status === 509) return 'no-space';
  if (status >= 500 || status === 408 || status === 429) return 'disconnected';
  return 'invalid-request';
}

function hintOf(status: number): { readonly hint?: string } {
  if (status === 401) return { hint: 'Log in: git credential helpers, the address or http.extraHeader say who you are.' };
  if (status === 403) return { hint: 'You may be allowed to read here, but not to write.' };
  if (status === 404) return { hint: 'Is this a Git LFS server? lfs.url or remote.NAME.lfsurl say where it is.' };
  if (status === 507) return { hint: 'The disk of the server is full.' };
  return {};
}

/** Milliseconds that a `Retry-After` header asks to wait (RFC 9110, 10.2.3: seconds, or a date); `null` when it says nothing. */
export function retryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
