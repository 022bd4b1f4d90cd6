import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { serializeFacts } from '../../formats/template/checkpointFacts';
import { carrierOf } from '../../theta/carrier';
import type { ThetaEntry } from '../../theta/metadata';
import { factsOfEntry } from '../checkpoints/factsOfEntry';
import type { OpenedRepository } from '../repositories/openedRepository';
import { digestOfChain, openDigestCache } from '../tracker/digests';
import { entryChains } from './entryChains';
import { type DigestOf, fitsGroups } from './fitsGroups';
import { mergeFacts } from './mergeFacts';
import type { MergeRequest } from './mergeRequest';
import type { Sides } from './readSide';
import { type SideFacts, sameFacts, sideFacts } from './sideFacts';
import { storeWithFacts } from './storeWithFacts';

export interface FactsToEstablish {
  /** The merged entries, all decided. */
  readonly entries: readonly ThetaEntry[];
  readonly sides: Sides;
  readonly request: Pick<MergeRequest, 'factsStrategy' | 'path' | 'pool' | 'signal'>;
}

export interface EstablishedFacts {
  /** Stands in place of the entry of its name; `null`: the entries are right as they are. */
  readonly carrier: ThetaEntry | null;
  /** What could not be kept, each a sentence. */
  readonly notes: readonly string[];
}

const UNCHANGED: EstablishedFacts = { carrier: null, notes: [] };

/**
 * Merges what the versions say about their file, and sees to it that the group which carries this in the merged version does so. A version of
 * git-theta says nothing, which is no change: where no version says anything, nothing is stored.
 * @throws CheckpointError conflict when nothing makes a file of the merged groups; cancelled, no-space, permission
 */
export async function establishFacts(repository: OpenedRepository, question: FactsToEstablish): Promise<EstablishedFacts> {
  const { entries, sides, request } = question;
  const { signal } = request;
  const carrier = carrierOf(entries);
  const [base, ours, theirs] = await Promise.all([sides.base, sides.ours, sides.theirs].map(({ metadata }) => sideFacts(repository.lfs, metadata, signal)));
  if (base === undefined || ours === undefined || theirs === undefined) return UNCHANGED;
  if (carrier !== null && carrier.oid === ours.oid && carrier.oid === theirs.oid) return UNCHANGED;
  const chainOf = entryChains(repository, { sides, path: request.path, signal });
  const cache = openDigestCache(repository);
  const digestOf: DigestOf = async (entry) => digestOfChain(await chainOf(entry), entry, { pool: request.pool, cache, signal });
  const { text, notes } = await wantedFacts({ base, ours, theirs }, question, digestOf);
  await cache.save();
  if (text === null) return { carrier: null, notes };
  if (carrier === null) return { carrier: null, notes: [...notes, NO_CARRIER] };
  if ((await factsOfEntry(repository.lfs, carrier, signal)) === text) return { carrier: null, notes };
  try {
    return { carrier: await storeWithFacts(repository, { entry: carrier, chain: await chainOf(carrier), facts: text, sides, request }), notes };
  } catch (error) {
    throwIfCancelled(signal);
    const failed = CheckpointError.from(error);
    if (['cancelled', 'no-space', 'permission', 'internal'].includes(failed.code)) throw failed;
    return { carrier: null, notes: [...notes, `What the file says beside its parameter groups could not be stored with ${carrier.name}: ${failed.message}`] };
  }
}

const NO_CARRIER = 'No parameter group is left that could carry what the file says beside its groups, so that is not kept.';

interface Versions {
  readonly base: SideFacts;
  readonly ours: SideFacts;
  readonly theirs: SideFacts;
}

/** The text that the carrier is to hold; `null`: whatever it holds. */
async function wantedFacts(
  read: Versions,
  { entries, request }: FactsToEstablish,
  digestOf: DigestOf,
): Promise<{ readonly text: string | null; readonly notes: readonly string[] }> {
  const { base } = read;
  const [ours, theirs] = [read.ours, read.theirs].map((side) => (side.text === null && !side.missing && !base.missing ? base : side));
  if (ours === undefined || theirs === undefined) return { text: null, notes: [] };
  const only = onlyChange({ base, ours, theirs });
  if (only === null ? ours.missing || theirs.missing : only.missing) {
    // Where it is taken as it is, nobody needs to know what it says.
    if (only !== null && carrierOf(entries)?.oid === only.oid) return { text: null, notes: [] };
    const called = (only ?? (ours.missing ? ours : theirs)) === theirs ? 'their version' : 'our version';
    return { text: null, notes: [missing(called, 'so it was not merged')] };
  }
  if (only !== null && (only.text === null || only.facts === null || (await fitsGroups(only.facts, entries, digestOf)))) return { text: only.text, notes: [] };
  const strategy = request.factsStrategy ?? null;
  const side = strategy === 'theirs' || strategy === 'base' ? strategy : 'ours';
  const merged = await mergeFacts({
    base: base.facts,
    ours: ours.facts,
    theirs: theirs.facts,
    path: request.path,
    entries,
    preferred: only === null ? side : only === theirs ? 'theirs' : 'ours',
    strategy,
    digestOf,
    signal: request.signal,
  });
  const lacksBase = only === null && base.missing ? [missing('the common base', 'so everything that differs counts as changed on both sides')] : [];
  return merged === null ? { text: null, notes: lacksBase } : { text: serializeFacts(merged.facts), notes: [...lacksBase, ...merged.notes] };
}

/** The side that alone decides, because the other says the same or did not change; `null` when both changed. */
function onlyChange({ base, ours, theirs }: Versions): SideFacts | null {
  if (sameFacts(ours, theirs) || sameFacts(base, theirs)) return ours;
  return sameFacts(base, ours) ? theirs : null;
}

function missing(called: string, consequence: string): string {
  return `What the file says beside its parameter groups is not known of ${called}, whose object is not here, ${consequence}. Get it with "theta fetch" and merge again.`;
}
