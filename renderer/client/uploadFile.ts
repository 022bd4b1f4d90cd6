import * as v from 'valibot';
import { cancelledError } from '../../shared/contract/cancelled';
import { CheckpointError, errorDataSchema } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import { UPLOAD_PATH } from '../../shared/contract/wire';

export interface UploadOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** For tests. */
  readonly createRequest?: () => XMLHttpRequest;
}

const answerSchema = v.union([v.object({ path: v.string() }), v.object({ error: errorDataSchema })]);

/**
 * Sends a file to the host that served this page and returns the path under which the host has it now. By XMLHttpRequest: it alone tells how
 * far it is.
 * @throws CheckpointError what the host says; `cancelled` when `signal` aborts; `disconnected` when the connection breaks
 */
export function uploadFile(file: File, { onProgress, signal, createRequest = () => new XMLHttpRequest() }: UploadOptions = {}): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    if (signal?.aborted) return reject(cancelledError());
    const request = createRequest();
    const onAbort = () => request.abort();
    const settle = () => signal?.removeEventListener('abort', onAbort);
    request.upload.addEventListener('progress', ({ loaded }) => {
      onProgress?.({ phase: `Sending ${file.name}`, done: Math.min(loaded, file.size), total: file.size, unit: 'bytes' });
    });
    request.addEventListener('load', () => {
      settle();
      const answer = readAnswer(request.responseText);
      if (answer !== null && 'path' in answer) resolve(answer.path);
      else reject(answer === null ? unexpected(request.status, file) : CheckpointError.fromData(answer.error).at({ file: file.name }));
    });
    request.addEventListener('error', () => {
      settle();
      reject(broken(file));
    });
    request.addEventListener('abort', () => {
      settle();
      reject(cancelledError());
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    request.open('POST', `${UPLOAD_PATH}?name=${encodeURIComponent(file.name)}`);
    // Without a type of our own the browser guesses one from the name.
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.send(file);
  });
}

/** Tells the host that a file which was sent is not needed any more. It would go by itself a day later, so that a failure is none of the user's. */
export function forgetUpload(path: string): void {
  fetch(`${UPLOAD_PATH}?path=${encodeURIComponent(path)}`, { method: 'DELETE' }).catch(() => undefined);
}

function readAnswer(text: string): v.InferOutput<typeof answerSchema> | null {
  try {
    return v.parse(answerSchema, JSON.parse(text));
  } catch {
    return null;
  }
}

function unexpected(status: number, file: File): CheckpointError {
  const place = { file: file.name };
  if (status === 403) {
    return new CheckpointError('permission', 'The host does not know this window any more.', {
      place,
      hint: 'Open the address that the running “theta serve” printed, then send the file again.',
    });
  }
  return new CheckpointError('internal', `The host did not take the file (status ${status}).`, { place });
}

/** A browser says nothing about the reason: also a file that was changed or deleted while it was sent ends so. */
function broken(file: File): CheckpointError {
  return new CheckpointError('disconnected', 'The file could not be sent to the host.', {
    place: { file: file.name },
    hint: 'See whether the file is still there and the host still runs, then try again.',
  });
}
