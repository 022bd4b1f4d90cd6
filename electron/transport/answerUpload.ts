import type { IncomingMessage } from 'node:http';
import { CheckpointError, type ErrorCode } from '../../shared/contract/errors';
import type { Uploads } from './uploads';

export interface UploadAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const STATUSES: { readonly [C in ErrorCode]?: number } = { 'invalid-request': 400, 'no-space': 507, permission: 500 };

/**
 * Takes an upload in (POST) and answers `{ path }`, or deletes one (DELETE, `?path=`) and answers `{ path: null }`; or `{ error }` in the form of
 * the contract. Who may do so was checked before.
 */
export async function answerUpload(
  request: IncomingMessage,
  query: string,
  { uploads, respond }: { readonly uploads: Uploads; readonly respond: (answer: UploadAnswer) => void },
): Promise<void> {
  const json = (status: number, value: unknown) => respond({ status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) });
  try {
    if (request.method === 'DELETE') {
      await uploads.release(new URLSearchParams(query).get('path') ?? '');
      return json(200, { path: null });
    }
    json(200, { path: await uploads.receive(request, query) });
  } catch (thrown) {
    const error = CheckpointError.from(thrown);
    // Nobody is there any more to be answered.
    if (error.code === 'cancelled') request.destroy();
    else json(STATUSES[error.code] ?? 500, { error: error.toData() });
  }
}
