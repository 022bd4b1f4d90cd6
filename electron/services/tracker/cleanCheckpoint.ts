import { stat } from 'node:fs/promises';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, headCommit } from '../../../shared/model/commit';
import { sameShape } from '../../../shared/model/shape';
import { fileError } from '../../bytes/fileError';
import { openSource } from '../../bytes/openSource';
import type { FileCheckpoint } from '../../formats/format';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import { factsOf } from '../../formats/template/checkpointFacts';
import { compareKeys } from '../../theta/compareKeys';
import { formatMetadata } from '../../theta/formatMetadata';
import type { ThetaEntry } from '../../theta/metadata';
import type { StoredGroup } from '../../updates/store/storeRequest';
import type { UpdateChain } from '../../updates/updateChain';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { type Candidate, readCandidates } from './candidates';
import { factsToCarry } from './carriedFacts';
import type { CleanedCheckpoint, CleanedGroup, CleanRequest } from './cleanRequest';
import { type DeclaredUpdate, readDeclaredUpdates } from './declaredUpdates';
import { openDigestCache } from './digests';
import { findUnchanged, largestFirst, type Unchanged } from './findUnchanged';
import { maxLinks } from './maxLinks';
import { phaseProgress } from './phaseProgress';
import { type SourceGroup, sourceGroups } from './sourceGroup';

/** What all stages of one clean know. */
interface Work {
  readonly request: CleanRequest;
  readonly groups: readonly SourceGroup[];
  readonly head: CommitHash | null;
  readonly candidates: readonly Candidate[];
  readonly declared: ReadonlyMap<string, DeclaredUpdate>;
  readonly unchanged: ReadonlyMap<string, Unchanged>;
  /** Group that carries the facts anew, and these; `null`: they are where they have been, or not needed. */
  readonly carry: { readonly group: string; readonly facts: string } | null;
}

interface Stored {
  readonly result: StoredGroup;
  readonly base: UpdateChain | null;
}

/**
 * Turns a checkpoint file into the metadata that git stores for it, and its changed groups into objects of the LFS store. A group whose every
 * bit is the same keeps its entry; others get the update asked for, or the cheapest that gives the exact bits back.
 * @throws CheckpointError what reading the file, a group that cannot be read, writing objects, or the update data give; cancelled
 */
export async function cleanCheckpoint(request: CleanRequest): Promise<CleanedCheckpoint> {
  const { repository, path, file, signal, choice, updateData, onProgress } = request;
  const checkpoint = await openCheckpointFile({ kind: 'file', path: file }, path, signal);
  const groups = sourceGroups(checkpoint, path);
  const [head, candidates, fileBytes, facts] = await Promise.all([
    repository.git.head().then(headCommit),
    readCandidates(repository, path, signal),
    sizeOf(file),
    readFacts(file, path, checkpoint, signal),
  ]);
  const names = new Set(groups.map(({ name }) => name));
  const declared = updateData === null ? new Map<string, DeclaredUpdate>() : await readDeclaredUpdates(updateData, names, { choice, signal });
  const cache = openDigestCache(repository);
  const total = groups.reduce((sum, { bytes }) => sum + bytes, 0);
  const compared = candidates.length === 0 ? [] : groups;
  const unchanged = await findUnchanged({
    groups: compared,
    candidates,
    head,
    pool: request.pool,
    cache,
    signal,
    progress: phaseProgress('Comparing', compared.length === 0 ? 0 : total, onProgress),
  });
  throwIfCancelled(signal);
  const carry = await factsToCarry({ repository, path, groups, candidates, unchanged, declared, facts, signal });
  const work: Work = { request, groups, head, candidates, declared, unchanged, carry };
  const stored = await storeChanged(work);
  if (!request.dry) {
    for (const [name, one] of stored) cache.set(chainOf(name, one, pathIn(request)), one.result.sha256);
  }
  await cache.save();
  return assemble(work, { stored, facts, fileBytes, format: checkpoint.format });
}

function pathIn({ repository }: CleanRequest): (oid: string) => string {
  return (oid) => repository.lfs.pathOf(oid);
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    (error: unknown) => {
      throw fileError(error, file);
    },
  );
}

async function readFacts(file: string, path: string, checkpoint: FileCheckpoint, signal: AbortSignal | undefined) {
  const source = await openSource({ kind: 'file', path: file });
  try {
    return await factsOf(source, checkpoint, { file: path, ...(signal === undefined ? {} : { signal }) });
  } finally {
    await source.close();
  }
}

/** Stores every group that is new, changed, declared, or has to carry the facts; by joined name. */
async function storeChanged(work: Work): Promise<ReadonlyMap<string, Stored>> {
  const { request, groups, candidates, declared, unchanged, carry } = work;
  const { pool, dry, onProgress } = request;
  const changed = groups.filter(({ name }) => declared.has(name) || !unchanged.has(name) || carry?.group === name);
  const progress = phaseProgress(
    dry ? 'Measuring' : 'Storing',
    changed.reduce((sum, { bytes }) => sum + bytes, 0),
    onProgress,
  );
  const links = await maxLinks(request.repository.git);
  const objects = dry ? null : request.repository.lfs.folder;
  const head = candidates.find(({ from }) => from === 'head');
  const stored = new Map<string, Stored>();
  const { controller, release } = linkedController(request.signal);

  const store = async (group: SourceGroup) => {
    const update = declared.get(group.name) ?? null;
    const base = baseOf(head, group);
    if (update !== null && base === null) throw noBase(group.name, request.path);
    const onlyFacts = update === null && unchanged.has(group.name);
    const part = progress.part(group.bytes);
    const input = {
      group: group.name,
      value: update === null ? group.plan : null,
      base: onlyFacts ? null : base,
      choice: onlyFacts ? ('dense' as const) : (update?.kind ?? request.choice),
      declared: update?.members ?? null,
      maxLinks: links,
      facts: carry?.group === group.name ? carry.facts : null,
      objects,
    };
    const result = await pool.run('store', input, { signal: controller.signal, priority: 'background', onProgress: part.at }).catch((error: unknown) => {
      throw CheckpointError.from(error).at({ file: request.path, group: group.name });
    });
    if (update !== null && !unchanged.has(group.name)) await checkNotLost(group, result, { request, signal: controller.signal });
    stored.set(group.name, { result, base: result.kind === 'dense' ? null : base });
    part.end();
  };
  try {
    await forEachLimited(largestFirst(changed), store, { limit: pool.size * 2, controller });
  } finally {
    release();
  }
  return stored;
}

/** What an update builds on: the group's value at HEAD, as git-theta has it. */
function baseOf(head: Candidate | undefined, { name, dtype, shape }: SourceGroup): UpdateChain | null {
  const entry = head?.metadata.entries.get(name);
  const chain = head?.chains.get(name);
  if (entry === undefined || chain === undefined || chain instanceof CheckpointError) return null;
  return entry.dtype === dtype && sameShape(entry.shape, shape) ? chain : null;
}

function noBase(group: string, file: string): CheckpointError {
  return new CheckpointError('invalid-request', `${group} has no value of the same type and shape at HEAD that the update could change.`, {
    place: { file, group },
    hint: 'Commit the checkpoint first, then add the update.',
  });
}

/** A declared update changes the value at HEAD; another change of the same group in the file would be overwritten with its result. */
async function checkNotLost(group: SourceGroup, result: StoredGroup, { request, signal }: { request: CleanRequest; signal: AbortSignal }): Promise<void> {
  const { sha256 } = await request.pool.run('digest', { plan: group.plan }, { signal, priority: 'background' });
  if (sha256 === result.sha256) return;
  throw new CheckpointError('conflict', `${group.name} has changes in the file that are neither at HEAD nor what the update data gives.`, {
    place: { file: request.path, group: group.name },
    hint: 'Commit or discard them first, or leave the group out of the update data.',
  });
}

/** How the new value is read. */
function chainOf(name: string, { result, base }: Stored, pathOf: (oid: string) => string): UpdateChain {
  const { kind, oid, bytes } = result;
  return { group: name, steps: [...(base?.steps ?? []), { kind, object: { oid, bytes, path: pathOf(oid) }, commit: null }] };
}

interface Outcome extends Pick<CleanedCheckpoint, 'facts' | 'fileBytes' | 'format'> {
  readonly stored: ReadonlyMap<string, Stored>;
}

function assemble(work: Work, { stored, ...rest }: Outcome): CleanedCheckpoint {
  const { groups, head, candidates, unchanged, declared } = work;
  const before = candidates.find(({ from }) => from === 'head')?.metadata.entries ?? new Map<string, ThetaEntry>();
  const entries: ThetaEntry[] = [];
  const cleaned: CleanedGroup[] = [];
  for (const group of groups.toSorted((a, b) => compareKeys(a.keys, b.keys))) {
    const parts = { stored: stored.get(group.name), kept: unchanged.get(group.name), before: before.get(group.name), work };
    const entry = entryOf(group, parts, head);
    entries.push(entry);
    cleaned.push(describeGroup(group, entry, parts));
  }
  const names = new Set(groups.map(({ name }) => name));
  for (const entry of before.values()) if (!names.has(entry.name)) cleaned.push(removedGroup(entry));
  return {
    ...rest,
    metadata: formatMetadata(entries),
    groups: cleaned.sort((a, b) => compareKeys(a.keys, b.keys)),
    declared: new Set(declared.keys()),
    unchanged: cleaned.every(({ change }) => change === 'unchanged') && work.carry === null,
    notes: [],
  };
}

interface GroupParts {
  readonly stored: Stored | undefined;
  readonly kept: Unchanged | undefined;
  readonly before: ThetaEntry | undefined;
  readonly work: Work;
}

function entryOf({ name, keys, dtype, shape }: SourceGroup, { stored, kept }: GroupParts, head: CommitHash | null): ThetaEntry {
  if (stored === undefined) {
    const entry = kept?.entries[0]?.entry;
    if (entry === undefined) throw new CheckpointError('internal', `${name} was neither kept nor stored.`);
    return entry;
  }
  const { kind, oid, bytes, signature } = stored.result;
  return { keys, name, dtype, shape, signature, oid, bytes, updateType: kind, lastCommit: head };
}

function describeGroup(group: SourceGroup, entry: ThetaEntry, { stored, kept, before, work }: GroupParts): CleanedGroup {
  const { name, keys, dtype, shape, bytes, plan } = group;
  const same = before !== undefined && before.oid === entry.oid && before.updateType === entry.updateType;
  const chain = stored === undefined ? kept?.entries[0]?.candidate.chains.get(name) : chainOf(name, stored, pathIn(work.request));
  const base = chain === undefined || chain instanceof CheckpointError ? undefined : chain.steps[0];
  return {
    name,
    keys,
    dtype,
    shape,
    change: before === undefined ? 'added' : same ? 'unchanged' : 'modified',
    updateType: entry.updateType,
    bytes,
    storedBytes: entry.bytes,
    fullBytes: base?.object.bytes ?? entry.bytes,
    addedBytes: stored === undefined || same ? 0 : stored.result.bytes,
    notes: stored?.result.notes ?? [],
    plan: work.declared.has(name) && chain !== undefined && !(chain instanceof CheckpointError) ? { kind: 'chain', chain } : plan,
  };
}

function removedGroup({ name, keys, dtype, shape }: ThetaEntry): CleanedGroup {
  return { name, keys, dtype, shape, change: 'removed', updateType: null, bytes: 0, storedBytes: 0, fullBytes: 0, addedBytes: 0, notes: [], plan: null };
}
