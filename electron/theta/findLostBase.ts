import { throwIfCancelled } from '../../shared/contract/cancelled';
import { CheckpointError } from '../../shared/contract/errors';
import type { CommitHash } from '../../shared/model/commit';
import { elementCount, sameShape } from '../../shared/model/shape';
import { isUpdateKind } from '../../shared/model/update';
import type { GitRepository } from '../git/gitRepository';
import { computeSignature } from '../tensors/signature/signature';
import { openTensor } from '../updates/openTensor';
import type { UpdateChain } from '../updates/updateChain';
import type { SearchBudget } from './lostBases';
import type { ThetaEntry } from './metadata';
import type { MetadataStore } from './metadataStore';
import type { MetadataPlace, ResolvedEntry } from './resolvedEntry';
import { signatureDistance } from './signatureDistance';

/** Commits looked at; a base that a rebase moved is a few commits away. */
const MAX_COMMITS = 2000;
/** Distinct values tried; each costs a reconstruction. */
const MAX_CANDIDATES = 50;
/** git-theta's own threshold: what is nearer may be called the same (update arithmetic rounds, so equality would be too much to ask). */
const SAME_SIGNATURE = 1e-6;

export interface LostBaseSearch {
  readonly repository: GitRepository;
  readonly metadata: MetadataStore;
  /** Where the incremental entry stands whose base is gone. */
  readonly place: MetadataPlace;
  readonly entry: ThetaEntry;
  readonly objectPath: (oid: string) => string;
  /** Chain of a candidate. */
  readonly resolve: (candidate: ResolvedEntry) => Promise<UpdateChain | CheckpointError>;
  /** What all searches for one checkpoint may still cost. */
  readonly budget: SearchBudget;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The base of an update whose commit is no longer in the repository (rebase, squash, amend, shallow clone), found by content: older values of
 * the group are tried, nearest first, until the update applied to one gives the signature that the metadata records. `null` when none does,
 * or when the recorded signature cannot tell values apart: then nothing is guessed.
 */
export async function findLostBase(search: LostBaseSearch): Promise<ResolvedEntry | null> {
  const { entry, place, budget, signal } = search;
  const { signature } = entry;
  if (signature === null || !tells(signature)) return null;
  const tried = new Set([keyOf(entry)]);
  const seen = new Set<CommitHash>([place.commit]);
  let level: readonly CommitHash[] = [place.commit];
  while (level.length > 0 && seen.size < MAX_COMMITS && tried.size <= MAX_CANDIDATES) {
    const next: CommitHash[] = [];
    for (const commit of level) {
      throwIfCancelled(signal);
      if (budget.commits-- <= 0) return null;
      const candidate = await candidateAt(search, commit);
      if (candidate !== null && !tried.has(keyOf(candidate.entry))) {
        tried.add(keyOf(candidate.entry));
        if (await givesSignature(search, candidate, signature)) return candidate;
      }
      for (const parent of await parentsOf(search.repository, commit)) {
        if (!seen.has(parent)) next.push(parent);
        seen.add(parent);
      }
    }
    level = next;
  }
  return null;
}

/** All zeros (empty, or written by another tool) and saturated sums (NaN, infinities) say nothing about the value. */
function tells(signature: readonly bigint[]): boolean {
  return signature.some((number) => number !== 0n) && !signature.includes(-(2n ** 63n));
}

function keyOf(entry: ThetaEntry): string {
  return `${entry.oid} ${entry.updateType} ${entry.lastCommit}`;
}

async function candidateAt({ metadata, place, entry }: LostBaseSearch, commit: CommitHash): Promise<ResolvedEntry | null> {
  try {
    const blob = await metadata.blobAt(commit, place.path);
    const found = blob === null ? undefined : (await metadata.parsed(blob, place.path)).entries.get(entry.name);
    return blob === null || found === undefined || found.dtype !== entry.dtype || !sameShape(found.shape, entry.shape)
      ? null
      : { place: { commit, path: place.path, blob }, entry: found };
  } catch {
    // A version that cannot be read is no candidate; it is said where it is shown.
    return null;
  }
}

/** A shallow clone ends where a parent is not there. */
async function parentsOf(repository: GitRepository, commit: CommitHash): Promise<readonly CommitHash[]> {
  return (await repository.commit(commit).catch(() => null))?.parents ?? [];
}

async function givesSignature(search: LostBaseSearch, candidate: ResolvedEntry, expected: readonly bigint[]): Promise<boolean> {
  const { entry, place, objectPath, budget, signal } = search;
  const base = await search.resolve(candidate);
  if (base instanceof CheckpointError || !isUpdateKind(entry.updateType)) return false;
  const step = { kind: entry.updateType, object: { oid: entry.oid, bytes: entry.bytes, path: objectPath(entry.oid) }, commit: place.commit };
  try {
    const tensor = await openTensor({ kind: 'chain', chain: { group: entry.name, steps: [...base.steps, step] } });
    try {
      const elements = elementCount(tensor.shape);
      // A few bytes can stand for any number of zeros.
      if (!sameShape(tensor.shape, entry.shape) || elements > budget.elements) return false;
      budget.elements -= elements;
      return signatureDistance(await computeSignature(tensor, signal), expected) < SAME_SIGNATURE;
    } finally {
      await tensor.close();
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    // An object of the candidate is missing or damaged: another one may be whole.
    return false;
  }
}
