import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import type { ParameterGroup, VersionId } from '../../../shared/model/checkpoint';
import type { CommitHash } from '../../../shared/model/commit';
import { elementCount, sameShape, tensorBytes } from '../../../shared/model/shape';
import { type CheckpointFacts, parseFacts } from '../../formats/template/checkpointFacts';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import type { LfsStore } from '../../git/lfs/lfsStore';
import { carrierOf } from '../../theta/carrier';
import type { ThetaEntry, ThetaMetadata } from '../../theta/metadata';
import type { ChainResolver } from '../../theta/resolveChains';
import { readChainHeader } from '../../updates/readChainHeader';
import { notedHeader } from '../../updates/store/notedHeader';
import type { StoredObject, UpdateChain } from '../../updates/updateChain';
import type { TensorHeader } from '../../updates/updateType';
import { mapLimited } from '../mapLimited';
import { factsOfEntry } from './factsOfEntry';
import { guessFormat } from './guessFormat';
import type { OpenedCheckpoint, OpenedGroup } from './openedCheckpoint';

/** Chains are opened to learn the dtype that numpy's promotion gives up to this many steps in all; beyond, the metadata is believed. */
const MAX_HEADER_STEPS = 20_000;
/** Small reads of objects running at once. */
const CONCURRENT_READS = 32;

/** What of a repository is needed to open a version. */
export interface ThetaRepository {
  readonly chains: ChainResolver;
  readonly lfs: LfsStore;
}

export interface ThetaVersion {
  readonly commit: CommitHash;
  readonly path: string;
  readonly blob: string;
  readonly metadata: ThetaMetadata;
}

/**
 * Opens a version kept by git-theta: its chains are resolved and its objects looked for. A group whose object is missing, or too short,
 * carries the error and the others are as they should be. Contents are verified when they are read.
 */
export async function openTheta(repository: ThetaRepository, theta: ThetaVersion, signal?: AbortSignal): Promise<OpenedCheckpoint> {
  const { commit, path, blob, metadata } = theta;
  const facts = await readFacts(repository.lfs, metadata, signal);
  const chains = await repository.chains.resolve({ commit, path, blob }, metadata.entries.values(), signal);
  const check = createObjectCheck();
  const firstWithObject = new Map<string, string>();
  const groups = new Map<string, OpenedGroup>();
  const budget = { steps: MAX_HEADER_STEPS };

  const open = async (entry: ThetaEntry) => {
    throwIfCancelled(signal);
    const chain = chains.get(entry.name);
    return { entry, ...(await planOf(entry, chain, { check, budget, place: { commit, file: path, group: entry.name } })) };
  };
  const opened = await mapLimited([...metadata.entries.values()], open, { limit: CONCURRENT_READS });
  const tied = new Map(facts?.tied ?? []);
  for (const { entry, plan, header } of opened) {
    const { dtype, shape } = header ?? entry;
    const twin = tied.get(entry.name) ?? (facts === null && mayBeTied(entry) ? firstWithObject.get(entry.oid) : undefined);
    if (twin === undefined) firstWithObject.set(entry.oid, entry.name);
    const group: ParameterGroup = {
      name: entry.name,
      dtype,
      shape,
      bytes: tensorBytes(dtype, shape),
      updateType: entry.updateType,
      storedBytes: entry.bytes,
      oid: entry.oid,
      tiedTo: twin ?? null,
      error: 'code' in plan ? plan : null,
    };
    groups.set(entry.name, { keys: entry.keys, group, plan, original: null, entry });
  }
  const version: VersionId = { commit, path };
  const broken = metadata.broken.map(({ name, error }) => ({ name, reason: error.message }));
  return {
    version,
    format: facts?.format ?? guessFormat(path, keysOf(metadata.entries.values())),
    storage: 'theta',
    groups,
    skipped: [...broken, ...(facts?.skipped ?? [])],
    metadata: facts?.metadata ?? [],
    original: null,
    facts,
  };
}

/** What the version says about the file that it was made from. */
async function readFacts(lfs: LfsStore, metadata: ThetaMetadata, signal: AbortSignal | undefined): Promise<CheckpointFacts | null> {
  const carrier = carrierOf(metadata.entries.values());
  const text = carrier === null ? null : await factsOfEntry(lfs, carrier, signal);
  return text === null ? null : parseFacts(text);
}

/** Tied weights share an object, but so do equal scalars and biases that have nothing to do with each other: only matrices are believed. */
function mayBeTied({ updateType, shape }: ThetaEntry): boolean {
  return updateType === 'dense' && shape.length >= 2 && elementCount(shape) > 1;
}

function* keysOf(entries: Iterable<ThetaEntry>): Iterable<readonly string[]> {
  for (const entry of entries) yield entry.keys;
}

interface PlanContext {
  readonly check: (object: StoredObject) => Promise<CheckpointError | null>;
  readonly budget: { steps: number };
  readonly place: { readonly commit: string; readonly file: string; readonly group: string };
}

async function planOf(
  entry: ThetaEntry,
  chain: UpdateChain | CheckpointError | undefined,
  context: PlanContext,
): Promise<Pick<OpenedGroup, 'plan'> & { header: Pick<ParameterGroup, 'dtype' | 'shape'> | null }> {
  const failed = (error: CheckpointError): { plan: ErrorData; header: null } => ({ plan: error.at(context.place).toData(), header: null });
  if (chain === undefined) return failed(new CheckpointError('internal', 'This parameter group was not resolved.'));
  if (chain instanceof CheckpointError) return failed(chain);
  for (const step of chain.steps) {
    const error = await context.check(step.object);
    if (error !== null) return failed(error);
  }
  const plan = { kind: 'chain', chain } as const;
  // A dense object has the dtype that its metadata says; updates may promote it.
  if (chain.steps.length === 1 || context.budget.steps < chain.steps.length) return { plan, header: null };
  context.budget.steps -= chain.steps.length;
  try {
    return { plan, header: await headerOf(chain, entry) };
  } catch (error) {
    return failed(CheckpointError.from(error));
  }
}

/** What numpy's promotion gives. Where the last update says that this is what the metadata says, the others need not be opened. */
async function headerOf(chain: UpdateChain, { dtype, shape }: ThetaEntry): Promise<TensorHeader> {
  const noted = await notedHeader(chain);
  return noted !== null && noted.dtype === dtype && sameShape(noted.shape, shape) ? noted : readChainHeader(chain);
}

/** Looks whether objects are there with the size that their pointers promise; each is looked at once. */
function createObjectCheck(): (object: StoredObject) => Promise<CheckpointError | null> {
  const known = new Map<string, Promise<CheckpointError | null>>();
  return (object) => {
    const found = known.get(object.oid) ?? checkLfsObject(object);
    known.set(object.oid, found);
    return found;
  };
}
