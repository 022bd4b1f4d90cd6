import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { UpdateChoice } from '../../../shared/model/track';
import { formatById } from '../../formats/registry';
import type { CheckpointFacts } from '../../formats/template/checkpointFacts';
import { carrierOf } from '../../theta/carrier';
import { assembleCleaned } from './assembleCleaned';
import { type Candidate, readPrevious } from './candidates';
import { factsToCarry } from './carriedFacts';
import type { CleanedCheckpoint, CleanRequest } from './cleanRequest';
import { chainOf, type Stored, type Work } from './cleanWork';
import { type DeclaredUpdate, readDeclaredUpdates } from './declaredUpdates';
import { openDigestCache } from './digests';
import { externalNotes } from './externalNotes';
import { findRenamed } from './findRenamed';
import { findUnchanged, type UnchangedSearch } from './findUnchanged';
import { keepAsItIs, wouldBeLost } from './keepAsItIs';
import { pruneKeptValues } from './keptValues';
import { phaseProgress } from './phaseProgress';
import { type InputFile, openInput } from './readInput';
import { readLimits } from './readLimits';
import { removeLeftovers } from './removeLeftovers';
import { sourceGroups } from './sourceGroup';
import { baseOf, storeChanged, storeEarly } from './storeChanged';

/**
 * Turns a checkpoint file into the metadata that git stores for it, and its changed groups into objects of the LFS store. A group whose every
 * bit is the same keeps its entry; others get the update asked for, or the cheapest that gives the exact bits back.
 * @throws CheckpointError what reading the file, a group that cannot be read, writing objects, or the update data give; cancelled
 */
export async function cleanCheckpoint(request: CleanRequest): Promise<CleanedCheckpoint> {
  if (!request.dry) await removeLeftovers(request.repository);
  request.pool.warmUp();
  const input = await openInput(request);
  try {
    return await cleanInput(request, input);
  } finally {
    await input.close();
  }
}

async function cleanInput(request: CleanRequest, input: InputFile): Promise<CleanedCheckpoint> {
  const { repository, path, arriving, signal, choice, updateData, onProgress } = request;
  const { checkpoint, bytes: fileBytes } = input;
  const groups = sourceGroups(checkpoint, path);
  const [{ head, candidates: all }, limits, facts] = await Promise.all([
    request.previous ?? readPrevious(repository, path, signal),
    readLimits(repository.git),
    input.facts(),
  ]);
  checkReturnable(facts, path);
  if (wouldBeLost(facts, groups.length, path)) return keepAsItIs(request, checkpoint, facts);
  const candidates = forChoice(all, choice);
  const names = new Set(groups.map(({ name }) => name));
  const declared = updateData === null ? new Map<string, DeclaredUpdate>() : await readDeclaredUpdates(updateData, names, { choice, signal });
  const cache = openDigestCache(repository);
  const total = groups.reduce((sum, { bytes }) => sum + bytes, 0);
  const compared = candidates.length === 0 ? [] : groups;
  const carrier = carrierOf(groups);
  const early = new Map<string, Stored>();
  const storeNow: UnchangedSearch['whenChanged'] = async (group, found) => {
    const waits = group === carrier || declared.has(group.name) || baseOf({ candidates }, group) === null;
    if (!waits) early.set(group.name, await storeEarly({ request, limits, candidates }, group, found));
  };
  const { unchanged, digests } = await findUnchanged({
    groups: compared,
    candidates,
    head,
    arriving,
    proven: request.proven ?? [],
    // Nothing else is to be done while the file comes in; and nobody watches the progress of two phases at once.
    whenChanged: arriving === undefined ? null : storeNow,
    pool: request.pool,
    cache,
    signal,
    progress: phaseProgress('Comparing', compared.length === 0 ? 0 : total, onProgress),
  });
  const renamed = await findRenamed({ groups, candidates: all, head, digests, declared, pool: request.pool, cache, signal });
  throwIfCancelled(signal);
  const carry = await factsToCarry({ repository, path, groups, candidates, unchanged, renamed, declared, facts, signal });
  const work: Work = { request, limits, groups, head, candidates, declared, unchanged, renamed, digests, carry };
  const stored = await storeChanged(work, early);
  if (!request.dry) {
    for (const [name, one] of stored) cache.set(chainOf(name, one, request), one.result.sha256);
    if ([...stored.values()].some(({ result }) => result.kind !== 'dense')) await pruneKeptValues(repository.git.place);
  }
  await cache.save();
  const cleaned = assembleCleaned(work, { stored, facts, fileBytes, format: checkpoint.format });
  return { ...cleaned, notes: [...cleaned.notes, ...externalNotes(checkpoint)] };
}

/** Without its bytes a file of a format that is not written here could never be checked out again. */
function checkReturnable({ exact, format }: CheckpointFacts, file: string): void {
  const writer = formatById(format);
  if (exact !== false || (writer !== null && writer.layout !== null)) return;
  throw new CheckpointError(
    'unsupported-format',
    `Too much of this ${writer?.label ?? 'file'} file is no readable tensor to keep it by its parameter groups.`,
    {
      place: { file },
      hint: 'Keep it with Git LFS instead.',
    },
  );
}

/** Somebody who names an update type does not want what is staged with another. */
function forChoice(candidates: readonly Candidate[], choice: UpdateChoice): readonly Candidate[] {
  return choice === 'auto' ? candidates : candidates.filter(({ from }) => from !== 'index');
}
