import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import type { GitWriter } from '../../git/gitWriter';
import { applyDeclared, type WrittenFile } from './applyDeclared';
import { cleanCheckpoint } from './cleanCheckpoint';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';
import { isBefore, provenBlobs, rememberProven } from './provenFile';
import { takeBackStored } from './takeBackStored';
import type { Undo } from './undo';
import { watchForChange } from './watchForChange';
import { watchHead } from './watchHead';
import { withPreparedMetadata } from './withPreparedMetadata';
import { withUndo } from './withUndo';
import { workTreePath } from './workTreePath';

type AddRequest = Omit<CleanRequest, 'dry' | 'file' | 'onStored'>;

interface StageRequest extends Omit<CleanRequest, 'dry' | 'file'> {
  /** Throws when the file is no longer the one that is to be added. */
  readonly checkSame: () => Promise<void>;
}

/**
 * Stores the checkpoint at a path of the work tree and stages it: objects first, then the metadata, then the index, which gets the file's
 * times too, so that the next status is clean without reading it again. A failure or cancel takes back what was stored, and a file that was
 * written anew.
 * @throws CheckpointError conflict when the file or HEAD changes meanwhile; what cleaning, writing and staging throw
 */
export async function addCheckpoint(request: AddRequest, writer: GitWriter): Promise<CleanedCheckpoint> {
  const { repository, path } = request;
  const checkSame = await watchForChange(await workTreePath(repository, path));
  return withUndo((undo) => stageCheckpoint({ ...request, checkSame, onStored: takeBackStored(repository, [path], undo) }, writer, undo));
}

/** The same as a part of more, which may fail later. */
export async function stageCheckpoint(request: StageRequest, writer: GitWriter, undo: Undo): Promise<CleanedCheckpoint> {
  const { repository, path, pool, signal, checkSame } = request;
  const { place } = repository.git;
  const file = await workTreePath(repository, path);
  if ([...(await writer.indexEntries(path)).keys()].some((stage) => stage > 0)) throw undecided(path);
  const before = await statFile(file);
  const begun = Date.now();
  const proven = await provenBlobs(place, path, before);
  const checkHead = await watchHead(repository);
  const cleaned = await cleanCheckpoint({ ...request, file, proven, dry: false }).catch(async (error: unknown) => {
    // A file that is being written looks damaged.
    if (!isCheckpointError(error, 'cancelled')) await checkSame();
    throw error;
  });
  await checkSame();
  const written = await applyDeclared(cleaned, file, { pool, signal, checkSame, place, undo });
  await checkHead();
  // Should it change from here on, git will look at it again.
  const seen = written === null ? before : await statFile(file);
  const stage = (content: string) => writer.stage([{ path, content, seen }], signal);
  if (cleaned.asItIs === true) await stage(file);
  else await withPreparedMetadata(repository, cleaned.metadata, stage);
  const proves = written === null ? isBefore(before.mtimeNs, begun) && isBefore(before.ctimeNs, begun) : isStill(written, seen);
  if (proves && cleaned.metadata !== '') await rememberProven(place, path, { file: seen, metadata: cleaned.metadata });
  return cleaned;
}

/** Whether nobody has written to the file since it was written and verified here; that it got its name has changed its `ctime`. */
function isStill(written: WrittenFile, seen: BigIntStats): boolean {
  return isBefore(written.mtimeNs, written.published) && written.mtimeNs === seen.mtimeNs && written.ino === seen.ino && written.size === seen.size;
}

/** git takes an add for the decision, and the file holds one side: the other would be gone without a word. */
function undecided(file: string): CheckpointError {
  return new CheckpointError(
    'conflict',
    `${file} has parameter groups that both sides of a merge changed; adding the file would take it as it is and drop the rest.`,
    {
      place: { file },
      hint: 'Decide them with “theta merge --strategy ours|theirs|base|average”. To take the file as it is all the same: “git add”.',
    },
  );
}

function statFile(file: string): Promise<BigIntStats> {
  return stat(file, { bigint: true }).catch((error: unknown) => {
    throw fileError(error, file);
  });
}
