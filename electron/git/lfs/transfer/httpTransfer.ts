import { throwIfCancelled } from '../../../../shared/contract/cancelled';
import { CheckpointError } from '../../../../shared/contract/errors';
import { checkLfsObject } from '../checkLfsObject';
import type { LfsStore } from '../lfsStore';
import type { ApiClient } from './apiClient';
import { downloadOnce } from './basicDownload';
import { confirmUpload, missingHere, uploadOnce } from './basicUpload';
import { BATCH_SIZE, type BatchItem, requestBatch } from './batch';
import type { TransferOperation } from './endpoint';
import { TransientFailure, withRetries } from './http/transientFailure';
import { MoveProgress } from './moveProgress';
import { runLanes } from './runLanes';
import type { FailedTransfer, TransferObject, TransferOptions, TransferReport } from './transferTypes';

/** An action that ends this soon is asked for anew, in milliseconds. */
const MARGIN = 5000;

export interface HttpTransferOptions {
  readonly client: ApiClient;
  readonly store: LfsStore;
  readonly operation: TransferOperation;
  /** `lfs.concurrenttransfers`. */
  readonly concurrency: number;
  readonly verifies: number;
}

type Wanted = Exclude<BatchItem, { error: CheckpointError }>;

/** Moves objects through the API: a batch is asked for when the one before is used up, so that its addresses are fresh. */
export async function moveOverHttp(objects: readonly TransferObject[], options: HttpTransferOptions, run: TransferOptions): Promise<TransferReport> {
  const { operation, concurrency } = options;
  const report = { moved: [] as TransferObject[], present: [] as TransferObject[], failed: [] as FailedTransfer[] };
  const progress = new MoveProgress(
    operation === 'upload' ? 'Uploading' : 'Downloading',
    objects.reduce((sum, object) => sum + object.bytes, 0),
    run.onProgress,
  );
  const next = batchQueue(objects, options, run);
  await runLanes(Math.min(concurrency, Math.max(1, objects.length)), next, async (item) => {
    throwIfCancelled(run.signal);
    const part = progress.part(item.object.bytes);
    if ('error' in item) {
      part.drop();
      report.failed.push({ object: item.object, error: item.error });
      return;
    }
    if (item.action === null) {
      part.drop();
      report.present.push(item.object);
      return;
    }
    try {
      await moveOne(item, options, { ...run, at: part.at });
      report.moved.push(item.object);
    } catch (error) {
      if (run.signal?.aborted === true) throw error;
      const failed = CheckpointError.from(error);
      // A full disk, or a server that knows nobody, fails all the others too.
      if (failed.code === 'permission' || failed.code === 'no-space' || failed.code === 'cancelled') throw failed;
      part.drop();
      report.failed.push({ object: item.object, error: failed.at({ oid: item.object.oid }) });
    }
  });
  return report;
}

function batchQueue(objects: readonly TransferObject[], options: HttpTransferOptions, run: TransferOptions): () => Promise<BatchItem | null> {
  const ready: BatchItem[] = [];
  let asked = 0;
  let asking: Promise<void> = Promise.resolve();
  const take = async () => {
    while (ready.length === 0 && asked < objects.length) {
      const batch = objects.slice(asked, asked + BATCH_SIZE);
      asked += batch.length;
      ready.push(...(await requestBatch(options.client, batch, { operation: options.operation, ref: run.ref, signal: run.signal })));
    }
    return ready.shift() ?? null;
  };
  // One after the other: the second must not ask for a batch while the first does.
  return () => {
    const taken = asking.then(take);
    asking = taken.then(
      () => {},
      () => {},
    );
    return taken;
  };
}

async function moveOne(first: Wanted, options: HttpTransferOptions, run: TransferOptions & { readonly at: (done: number) => void }): Promise<void> {
  const { client, store, operation, verifies } = options;
  const { object } = first;
  const { signal, at } = run;
  const file = store.pathOf(object.oid);
  if (operation === 'upload') {
    const wrong = await checkLfsObject({ ...object, path: file });
    if (wrong !== null) throw wrong.code === 'missing-object' ? missingHere(object) : wrong;
  }
  let item: Wanted = first;
  let renewed = false;
  const renew = async () => {
    const [again] = await requestBatch(client, [object], { operation, ref: run.ref, signal });
    if (again === undefined || 'error' in again) throw again?.error ?? new CheckpointError('internal', 'The server was asked for nothing.');
    item = again;
  };
  await withRetries(
    async () => {
      if (item.action?.expires != null && item.action.expires < Date.now() + MARGIN) await renew();
      const { action } = item;
      // Uploaded by someone else in the meantime.
      if (action === null) return;
      try {
        if (operation === 'upload') await uploadOnce(object, action, { client, file, verifies, signal, at });
        else await downloadOnce(object, action, { client, objects: store.folder, signal, at });
      } catch (error) {
        if (renewed || !(error instanceof CheckpointError) || !mayBeStale(error)) throw error;
        renewed = true;
        await renew();
        throw new TransientFailure(error, 0);
      }
    },
    { ...client.retries, signal },
  );
  if (operation === 'upload' && item.action !== null && item.verify !== null) await confirmUpload(object, item.verify, { client, verifies, signal });
}

/** Stores refuse addresses that have ended, whatever the server said of their time. */
function mayBeStale({ code }: CheckpointError): boolean {
  return code === 'permission' || code === 'not-found';
}
