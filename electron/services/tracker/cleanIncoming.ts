import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import { linkedController } from '../linkedController';
import { cleanCheckpoint } from './cleanCheckpoint';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';
import { isBefore, rememberProven } from './provenFile';
import type { IncomingFile, SpooledFile } from './spool';

type IncomingRequest = Omit<CleanRequest, 'arriving' | 'file' | 'signal'> & { readonly signal: AbortSignal };

interface Early {
  /** The file in the work tree, for whose size this holds. */
  readonly file: BigIntStats;
  outcome(): Promise<CleanedCheckpoint>;
}

/**
 * Cleans a file that still comes in: git sends the one of the work tree, whose size is known, and what has come of it can be compared and stored
 * while the rest is on its way. What comes may be something else: then nothing of this counts.
 * @param isCheckpoint whether the file will be cleaned as one, when its first bytes are there
 * @returns the cleaned checkpoint, once asked for when the whole file is there; `null`: nothing was done that holds for it
 */
export async function cleanIncoming(
  request: IncomingRequest,
  incoming: IncomingFile,
  isCheckpoint: () => Promise<boolean>,
): Promise<{ readonly file: SpooledFile; readonly cleaned: CleanedCheckpoint | null }> {
  const { controller, release } = linkedController(request.signal);
  const early = begin({ ...request, signal: controller.signal }, incoming, isCheckpoint);
  // Asked for when everything has come.
  early.catch(() => {});
  try {
    const file = await incoming.whole.catch(async (error: unknown) => {
      controller.abort();
      await early.catch(() => {});
      throw error;
    });
    try {
      const begun = await early;
      if (begun !== null && begun.file.size === BigInt(file.bytes)) {
        const cleaned = await begun.outcome();
        await rememberFile(request, begun.file, cleaned);
        return { file, cleaned };
      }
      controller.abort();
      await begun?.outcome().catch(() => {});
      return { file, cleaned: null };
    } catch (error) {
      await file.remove();
      throw error;
    }
  } finally {
    release();
  }
}

async function begin(request: IncomingRequest, incoming: IncomingFile, isCheckpoint: () => Promise<boolean>): Promise<Early | null> {
  const head = await incoming.head;
  const file = await fileInWorkTree(request);
  if (file === null || head.byteLength === 0 || looksLikeMetadata(head, false) || !(await isCheckpoint())) return null;
  const arriving = {
    bytes: Number(file.size),
    get arrived() {
      return incoming.arrived;
    },
    until: (end: number) => incoming.until(end),
  };
  const cleaned = cleanCheckpoint({ ...request, file: incoming.path, arriving });
  // As above.
  cleaned.catch(() => {});
  return { file, outcome: () => cleaned };
}

async function fileInWorkTree({ repository, path }: Pick<IncomingRequest, 'path' | 'repository'>): Promise<BigIntStats | null> {
  const { workTree } = repository.git.place;
  const found = workTree === null ? null : await stat(join(workTree, ...path.split('/')), { bigint: true }).catch(() => null);
  return found?.isFile() === true ? found : null;
}

/** git has read the file since this process began: one that was written last before that came as it still is. */
async function rememberFile({ repository, path, dry }: IncomingRequest, file: BigIntStats, { metadata }: CleanedCheckpoint): Promise<void> {
  const { timeOrigin } = performance;
  if (!dry && metadata !== '' && isBefore(file.mtimeNs, timeOrigin) && isBefore(file.ctimeNs, timeOrigin))
    await rememberProven(repository.git.place, path, { file, metadata });
}
