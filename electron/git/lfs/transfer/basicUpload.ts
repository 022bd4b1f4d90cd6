import { createHash } from 'node:crypto';
import { CheckpointError } from '../../../../shared/contract/errors';
import { fileError } from '../../../bytes/fileError';
import { openRegular } from '../../../bytes/openRegular';
import { wrongLfsContent, wrongLfsSize } from '../lfsErrors';
import { type ApiClient, discard, requireSuccess } from './apiClient';
import type { Action } from './batch';
import { withRetries } from './http/transientFailure';
import type { TransferObject } from './transferTypes';

const BLOCK = 256 * 1024;

export interface UploadContext {
  readonly client: ApiClient;
  /** File of the object on this machine. */
  readonly file: string;
  /** `lfs.transfer.maxverifies`. */
  readonly verifies: number;
  readonly signal?: AbortSignal | undefined;
  /** Bytes sent. */
  readonly at: (done: number) => void;
}

/** One attempt to upload an object (docs/api/basic-transfers.md, "Uploads"). @throws corrupt-object when the file is not the object, TransientFailure */
export async function uploadOnce(object: TransferObject, action: Action, context: UploadContext): Promise<void> {
  const { client, file, signal, at } = context;
  at(0);
  const answer = await client.send({
    method: 'PUT',
    url: action.url,
    headers: { 'Content-Type': 'application/octet-stream', ...withoutTwins(action.headers) },
    body: { bytes: object.bytes, open: () => verifiedBytes(object, file, at) },
    authenticated: action.authenticated,
    signal,
  });
  await discard(await requireSuccess(answer, 'take an object'));
}

/** Has the server confirm that it has an object (docs/api/basic-transfers.md, "Verification"), with as many attempts as configured. */
export async function confirmUpload(object: TransferObject, action: Action, context: Omit<UploadContext, 'at' | 'file'>): Promise<void> {
  const { client, verifies, signal } = context;
  const content = { oid: object.oid, size: object.bytes };
  const options = { what: 'confirm an object', headers: action.headers, authenticated: action.authenticated, signal };
  await withRetries(() => client.postOnce(action.url, content, options), { ...client.retries, attempts: verifies, signal });
}

/** The server's content type in place of ours, however it is spelled. */
function withoutTwins(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase() === 'content-type' ? 'Content-Type' : name, value]));
}

/**
 * The bytes of an object, the last of them only when all have the right SHA-256: a server never gets a damaged object whole.
 * @throws corrupt-object, missing-object when the file is gone
 */
export async function* verifiedBytes(object: TransferObject, file: string, at: (done: number) => void): AsyncGenerator<Buffer> {
  const opened = await openRegular(file).catch((error: unknown) => {
    throw fileError(error, file).at({ oid: object.oid });
  });
  try {
    if (opened.size !== object.bytes) throw wrongLfsSize(object, opened.size);
    const hash = createHash('sha256');
    let done = 0;
    let held: Buffer | null = null;
    while (done < object.bytes) {
      const block = Buffer.allocUnsafe(Math.min(BLOCK, object.bytes - done));
      const { bytesRead } = await opened.handle.read(block, 0, block.length, done);
      if (bytesRead === 0) throw wrongLfsSize(object, done);
      const bytes = block.subarray(0, bytesRead);
      hash.update(bytes);
      done += bytesRead;
      if (held !== null) {
        yield held;
        at(done - bytesRead);
      }
      held = bytes;
    }
    const digest = hash.digest('hex');
    if (digest !== object.oid) throw wrongLfsContent(object, digest);
    if (held !== null) yield held;
    at(done);
  } finally {
    await opened.handle.close();
  }
}

/** What the server wants and this machine does not have. */
export function missingHere(object: TransferObject): CheckpointError {
  return new CheckpointError('missing-object', `The object ${object.oid.slice(0, 12)} is neither on this machine nor on the server.`, {
    place: { oid: object.oid },
    hint: 'Copy it from a clone that has it, or set lfs.allowincompletepush to push without it.',
  });
}
