import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { looksLikeMetadata } from '../../theta/looksLikeMetadata';
import { linkedController } from '../linkedController';
import { cleanCheckpoint } from './cleanCheckpoint';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';
import type { IncomingFile, SpooledFile } from './spool';

type IncomingRequest = Omit<CleanRequest, 'arriving' | 'file' | 'signal'> & { readonly signal: AbortSignal };

interface Early {
  /** Size of the file that this holds for. */
  readonly bytes: number;
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
      if (begun !== null && begun.bytes === file.bytes) return { file, cleaned: await begun.outcome() };
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
  const bytes = await sizeInWorkTree(request);
  if (bytes === null || head.byteLength === 0 || looksLikeMetadata(head, false) || !(await isCheckpoint())) return null;
  const arriving = {
    bytes,
    get arrived() {
      return incoming.arrived;
    },
    until: (end: number) => incoming.until(end),
  };
  const cleaned = cleanCheckpoint({ ...request, file: incoming.path, arriving });
  // As above.
  cleaned.catch(() => {});
  return { bytes, outcome: () => cleaned };
}

async function sizeInWorkTree({ repository, path }: IncomingRequest): Promise<number | null> {
  const { workTree } = repository.git.place;
  const found = workTree === null ? null : await stat(join(workTree, ...path.split('/'))).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}
