import { throwIfCancelled } from '../../../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../../../shared/contract/errors';
import { openRepository } from '../../openRepository';
import { checkLfsObject } from '../checkLfsObject';
import { type LfsStore, openLfsStore } from '../lfsStore';
import { missingHere, verifiedBytes } from './basicUpload';
import type { TransferOperation } from './endpoint';
import { MoveProgress } from './moveProgress';
import { openPart } from './partFile';
import { runLanes } from './runLanes';
import type { FailedTransfer, TransferObject, TransferOptions, TransferReport } from './transferTypes';

/** Disks gain little from more. */
const LANES = 2;

export interface LocalTransferOptions {
  /** Any path of the other repository. */
  readonly path: string;
  readonly store: LfsStore;
  readonly operation: TransferOperation;
}

/** Copies objects between this repository and another of this machine, as git-lfs's own transfer for `file://` does; verified on the way. */
export async function moveLocally(objects: readonly TransferObject[], options: LocalTransferOptions, run: TransferOptions): Promise<TransferReport> {
  const { store, operation, path } = options;
  const other = await otherStore(path, run.signal);
  const [from, to] = operation === 'upload' ? [store, other] : [other, store];
  const report = { moved: [] as TransferObject[], present: [] as TransferObject[], failed: [] as FailedTransfer[] };
  const total = objects.reduce((sum, object) => sum + object.bytes, 0);
  const progress = new MoveProgress(operation === 'upload' ? 'Uploading' : 'Downloading', total, run.onProgress);
  const left = [...objects].reverse();
  await runLanes(
    LANES,
    async () => left.pop() ?? null,
    async (object) => {
      throwIfCancelled(run.signal);
      const part = progress.part(object.bytes);
      if ((await checkLfsObject({ ...object, path: to.pathOf(object.oid) })) === null) {
        part.drop();
        report.present.push(object);
        return;
      }
      try {
        const file = from.pathOf(object.oid);
        const wrong = await checkLfsObject({ ...object, path: file });
        if (wrong !== null) throw operation === 'upload' && wrong.code === 'missing-object' ? missingHere(object) : wrong;
        await copyObject(object, { file, objects: to.folder }, { signal: run.signal, at: part.at });
        report.moved.push(object);
      } catch (error) {
        if (isCheckpointError(error, 'cancelled') || isCheckpointError(error, 'no-space')) throw error;
        part.drop();
        report.failed.push({ object, error: CheckpointError.from(error).at({ oid: object.oid }) });
      }
    },
  );
  return report;
}

async function otherStore(path: string, signal: AbortSignal | undefined): Promise<LfsStore> {
  const repository = await openRepository(path, signal === undefined ? {} : { signal });
  try {
    return await openLfsStore(repository);
  } finally {
    await repository.close();
  }
}

async function copyObject(
  object: TransferObject,
  places: { readonly file: string; readonly objects: string },
  run: { readonly signal: AbortSignal | undefined; readonly at: (done: number) => void },
): Promise<void> {
  const part = await openPart(places.objects, object);
  try {
    await part.restart();
    for await (const bytes of verifiedBytes(object, places.file, run.at)) {
      throwIfCancelled(run.signal);
      await part.append(bytes);
    }
    await part.finish();
  } finally {
    await part.release();
  }
}
