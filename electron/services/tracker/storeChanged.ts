import { CheckpointError } from '../../../shared/contract/errors';
import { sameShape } from '../../../shared/model/shape';
import type { StoredGroup, StoreRequest } from '../../updates/store/storeRequest';
import type { UpdateChain } from '../../updates/updateChain';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import { takeGroups } from './arriving';
import type { Stored, Work } from './cleanWork';
import type { DeclaredUpdate } from './declaredUpdates';
import { keptValuesFolder } from './keptValues';
import { phaseProgress } from './phaseProgress';
import type { SourceGroup } from './sourceGroup';

/**
 * Stores every group that is new, changed, declared, or has to carry the facts; by joined name.
 * @param early what was stored already, while the file still came in
 */
export async function storeChanged(work: Work, early: ReadonlyMap<string, Stored>): Promise<ReadonlyMap<string, Stored>> {
  const { request, groups, declared, unchanged, renamed, carry } = work;
  const { pool, dry, onProgress } = request;
  const changed = groups.filter(({ name }) => {
    const isThere = unchanged.has(name) || (renamed.get(name)?.kept ?? null) !== null;
    return !early.has(name) && (declared.has(name) || !isThere || carry?.group === name);
  });
  const total = changed.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = phaseProgress(dry ? 'Measuring' : 'Storing', total, onProgress);
  const stored = new Map(early);
  const { controller, release } = linkedController(request.signal);

  const next = takeGroups(changed, request.arriving);
  const store = async () => {
    const group = await next();
    const part = progress.part(group.bytes);
    const facts = carry?.group === group.name ? carry.facts : null;
    const run = runFor(work, group, { facts, signal: controller.signal, onProgress: part.at });
    stored.set(group.name, await storeOne(work, group, { run, signal: controller.signal }));
    part.end();
  };
  try {
    await forEachLimited(changed, store, { limit: pool.size * 2, controller });
  } finally {
    release();
  }
  return stored;
}

/** What is known before all groups were compared. */
export type EarlyWork = Pick<Work, 'candidates' | 'limits' | 'request'>;

/** Stores a group that is at HEAD with another value of the same type and shape, and neither declared nor the one that carries the facts. */
export async function storeEarly(
  work: EarlyWork,
  group: SourceGroup,
  { sha256, signal }: { readonly sha256: string; readonly signal: AbortSignal },
): Promise<Stored> {
  const base = baseOf(work, group);
  const result = await runFor(work, group, { facts: null, signal })({ sha256, base, choice: work.request.choice });
  return { result, base: baseUsed(result, base), declared: false };
}

/** Stores the group as the input says beside what holds for all of them. */
type Run = (input: Partial<StoreRequest>) => Promise<StoredGroup>;

interface RunOptions {
  readonly facts: string | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

function runFor({ request, limits }: EarlyWork, group: SourceGroup, { facts, signal, onProgress = () => {} }: RunOptions): Run {
  const { repository, pool, dry, path, onStored } = request;
  return async (input) => {
    const all: StoreRequest = {
      group: group.name,
      value: group.plan,
      sha256: null,
      base: null,
      choice: 'dense',
      declared: null,
      ...limits,
      facts,
      values: keptValuesFolder(repository.git.place),
      objects: dry ? null : repository.lfs.folder,
      ...input,
    };
    try {
      const result = await pool.run('store', all, { signal, priority: 'background', onProgress, onUnwanted: onStored });
      onStored?.(result);
      return result;
    } catch (error) {
      throw CheckpointError.from(error).at({ file: path, group: group.name });
    }
  };
}

interface Storing {
  readonly run: Run;
  readonly signal: AbortSignal;
}

async function storeOne(work: Work, group: SourceGroup, storing: Storing): Promise<Stored> {
  const update = work.declared.get(group.name);
  const base = baseOf(work, group);
  if (update !== undefined) return storeDeclared(work, group, { ...storing, update, base });
  // The same value again, with other facts beside it.
  if (work.unchanged.has(group.name)) return { result: await storing.run({ sha256: work.digests.get(group.name) ?? null }), base: null, declared: false };
  const result = await storing.run({ sha256: work.digests.get(group.name) ?? work.renamed.get(group.name)?.sha256 ?? null, base, choice: work.request.choice });
  return { result, base: baseUsed(result, base), declared: false };
}

function baseUsed({ kind }: StoredGroup, base: UpdateChain | null): UpdateChain | null {
  return kind === 'dense' ? null : base;
}

/**
 * A declared update makes the new value from the one at HEAD. Where the file has a new value already, that is what is kept: the update is stored
 * when it gives just these bits, and otherwise whatever does.
 */
async function storeDeclared(
  work: Work,
  group: SourceGroup,
  { run, signal, update, base }: Storing & { readonly update: DeclaredUpdate; readonly base: UpdateChain | null },
): Promise<Stored> {
  if (base === null) throw noBase(group.name, work.request.path);
  const input = { base, choice: update.kind, declared: update.members, value: null };
  if (!isAsAtHead(work, group)) {
    const trial = await run({ ...input, objects: null });
    const { sha256 } = await work.request.pool.run('digest', { plan: group.plan }, { signal, priority: 'background' });
    if (trial.sha256 !== sha256) {
      const result = await run({ base, choice: 'auto' });
      const note = `The file has other bits than the ${update.kind} update gives, so they were stored as a ${result.kind} update.`;
      return { result: { ...result, notes: [note, ...result.notes] }, base: baseUsed(result, base), declared: false };
    }
  }
  const result = await run(input);
  return { result, base: baseUsed(result, base), declared: true };
}

/** What is staged is the user's as well: only a value that was committed may be replaced by what the update makes of it. */
function isAsAtHead({ unchanged }: Work, { name }: SourceGroup): boolean {
  return unchanged.get(name)?.entries.some(({ candidate }) => candidate.from === 'head') ?? false;
}

/** What an update builds on: the group's value at HEAD, as git-theta has it. */
export function baseOf({ candidates }: Pick<Work, 'candidates'>, { name, dtype, shape }: SourceGroup): UpdateChain | null {
  const head = candidates.find(({ from }) => from === 'head');
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
