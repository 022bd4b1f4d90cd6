import { CheckpointError } from '../../../../../shared/contract/errors';
import { networkFailure } from './httpErrors';
import type { HttpAnswer } from './httpTypes';

/** The body of an answer as text. @throws too-large above `limit` bytes; TransientFailure when the connection breaks */
export async function readText(answer: HttpAnswer, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new CheckpointError('too-large', `The server ${answer.url.host} answered with more than ${limit} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw networkFailure(error, answer.url);
  } finally {
    answer.close();
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

/** @throws malformed for what is no JSON, a web page above all; as readText */
export async function readJson(answer: HttpAnswer, limit: number): Promise<unknown> {
  const text = await readText(answer, limit);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const page = /html/i.test(answer.headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text);
    throw new CheckpointError('malformed', `The server ${answer.url.host} answered with ${page ? 'a web page' : 'something else'} instead of Git LFS's JSON.`, {
      hint: page
        ? 'It may be a login page. Is there a Git LFS server at this address? lfs.url or remote.NAME.lfsurl say where it is.'
        : 'Is this a Git LFS server?',
      detail: text.slice(0, 500),
      cause,
    });
  }
}

const LARGEST_MESSAGE = 64 * 1024;
const SHOWN = 300;

/** What a refusal says in its JSON (`message`, docs/api/batch.md "Response Errors"); `null` when it says nothing of use. */
export async function readMessage(answer: HttpAnswer): Promise<string | null> {
  try {
    const parsed: unknown = JSON.parse(await readText(answer, LARGEST_MESSAGE));
    const message = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? parsed.message : null;
    return typeof message === 'string' && message.trim() !== '' ? message.trim().slice(0, SHOWN) : null;
  } catch {
    return null;
  }
}
