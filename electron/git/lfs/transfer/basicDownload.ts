import { CheckpointError } from '../../../../shared/contract/errors';
import { type ApiClient, requireSuccess } from './apiClient';
import type { Action } from './batch';
import { networkFailure } from './http/httpErrors';
import type { HttpAnswer } from './http/httpTypes';
import { TransientFailure } from './http/transientFailure';
import { openPart, type PartFile } from './partFile';
import type { TransferObject } from './transferTypes';

export interface DownloadContext {
  readonly client: ApiClient;
  /** Folder of the store, `…/lfs/objects`. */
  readonly objects: string;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are there. */
  readonly at: (done: number) => void;
}

/**
 * One attempt to download an object into the store (docs/api/basic-transfers.md, "Downloads"): what is there already is not asked for again
 * (`Range`), and only what has the right size and SHA-256 gets its name. @throws corrupt-object for wrong bytes, TransientFailure
 */
export async function downloadOnce(object: TransferObject, action: Action, context: DownloadContext): Promise<void> {
  const part = await openPart(context.objects, object);
  try {
    const resumed = part.length > 0;
    context.at(part.length);
    if (part.length < object.bytes || object.bytes === 0) await receive(object, part, { ...context, action });
    await part.finish().catch((error: unknown) => {
      const wrong = CheckpointError.from(error);
      // What was left by an earlier attempt may have been the wrong part.
      throw resumed && wrong.code === 'corrupt-object' ? new TransientFailure(wrong, 0) : wrong;
    });
  } finally {
    await part.release();
  }
}

async function receive(object: TransferObject, part: PartFile, context: DownloadContext & { readonly action: Action }): Promise<void> {
  const { client, action, signal, at } = context;
  const resume = part.length > 0 ? { Range: `bytes=${part.length}-${object.bytes - 1}` } : {};
  const answer = await client.send({
    method: 'GET',
    url: action.url,
    headers: { Accept: '*/*', ...action.headers, ...resume },
    authenticated: action.authenticated,
    signal,
  });
  if (answer.status === 416) {
    answer.close();
    await part.restart();
    throw new TransientFailure(
      new CheckpointError('disconnected', `The server ${answer.url.host} cannot go on with the object ${object.oid.slice(0, 12)}.`),
      0,
    );
  }
  await requireSuccess(answer, 'give an object');
  try {
    if (!continues(answer, part.length)) await part.restart();
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      await part.append(chunk);
      at(part.length);
    }
  } catch (error) {
    // More bytes than the object has: none of them can be trusted.
    if (error instanceof CheckpointError && error.code === 'corrupt-object') await part.restart();
    throw error instanceof CheckpointError ? error : networkFailure(error, answer.url);
  } finally {
    answer.close();
  }
  if (part.length < object.bytes) throw tooShort(object, part.length, answer);
}

/** Whether the body goes on where the part ends (206 with that range) or begins anew. */
function continues(answer: HttpAnswer, length: number): boolean {
  const start = /^bytes (\d+)-/.exec(answer.headers['content-range'] ?? '')?.[1];
  if (answer.status === 206 && Number(start) === length) return true;
  if (answer.status === 206 && start !== '0') {
    throw new TransientFailure(new CheckpointError('malformed', `The server ${answer.url.host} gives another part of an object than was asked for.`));
  }
  return length === 0;
}

function tooShort(object: TransferObject, length: number, answer: HttpAnswer): TransientFailure {
  const page = /html/i.test(answer.headers['content-type'] ?? '');
  const error = new CheckpointError(
    'truncated',
    page
      ? `The server ${answer.url.host} answered with a web page instead of the object ${object.oid.slice(0, 12)}.`
      : `The object ${object.oid.slice(0, 12)} came with ${length} of its ${object.bytes} bytes.`,
    { place: { oid: object.oid, offset: length } },
  );
  return new TransientFailure(error);
}
