import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { headCommit } from '../../../shared/model/commit';
import { openFileSource } from '../../bytes/fileSource';
import type { FileCheckpoint } from '../../formats/format';
import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import { guessFormat } from '../checkpoints/guessFormat';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';
import { externalNotes } from './externalNotes';

const AS_IT_IS = 'The file has no parameter groups of its own that could be kept one by one, so git keeps it as it is.';
const READ_BYTES = 1024 * 1024;

/**
 * Whether metadata alone would lose the file: what a file says beside its groups is kept in the object of one of them, and there is none. An
 * empty checkpoint that its format writes by itself loses nothing.
 */
export function wouldBeLost({ format, template, metadata, skipped, exact }: CheckpointFacts, groups: number, path: string): boolean {
  if (groups > 0) return false;
  return template !== undefined || exact === false || metadata.length > 0 || skipped.length > 0 || format !== guessFormat(path, []);
}

/** The file itself for what git is to store. */
export async function keepAsItIs(request: CleanRequest, checkpoint: FileCheckpoint, facts: CheckpointFacts): Promise<CleanedCheckpoint> {
  const { repository, path, file, arriving } = request;
  await arriving?.until(arriving.bytes);
  const { git } = repository;
  const head = headCommit(await git.head());
  const before = head === null ? null : await git.entry(head, path);
  const { size } = await stat(file);
  const unchanged = before?.kind === 'blob' && (await git.blobSize(before.oid)) === size && (await fileBlobId(file, before.oid.length)) === before.oid;
  return {
    metadata: '',
    asItIs: true,
    format: checkpoint.format,
    facts,
    groups: [],
    fileBytes: size,
    declared: new Set(),
    unchanged,
    notes: [AS_IT_IS, ...externalNotes(checkpoint)],
  };
}

/** The id that git gives to a file. @param digits of it: 40 for SHA-1, 64 for SHA-256 */
async function fileBlobId(file: string, digits: number): Promise<string> {
  const source = await openFileSource(file);
  try {
    const hash = createHash(digits === 64 ? 'sha256' : 'sha1').update(`blob ${source.length}\0`);
    for (let at = 0; at < source.length; at += READ_BYTES) hash.update(await source.read(at, Math.min(READ_BYTES, source.length - at)));
    return hash.digest('hex');
  } finally {
    await source.close();
  }
}
