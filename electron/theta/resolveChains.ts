import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import { isUpdateKind } from '../../shared/model/update';
import type { GitRepository } from '../git/gitRepository';
import type { ChainStep, UpdateChain } from '../updates/updateChain';
import { type FormerPath, findFormerPath } from './findFormerPath';
import { findLostBase } from './findLostBase';
import { findNotedBase, type NotedBases } from './findNotedBase';
import { LostBases } from './lostBases';
import type { ThetaEntry } from './metadata';
import type { MetadataStore } from './metadataStore';
import type { MetadataPlace, ResolvedEntry } from './resolvedEntry';

/** One link, shared by every chain that runs through it. */
interface Link {
  readonly step: ChainStep;
  readonly base: Link | null;
}

interface Walk {
  readonly name: string;
  /** Links found so far, from the version's own entry towards the base, with the key under which each is remembered. */
  readonly found: { readonly key: string; readonly step: ChainStep }[];
  readonly seen: Set<string>;
  here: ResolvedEntry;
}

type Resolved = ReadonlyMap<string, UpdateChain | CheckpointError>;

export interface ChainResolver {
  /** Chain of each entry of a metadata file, or why it has none. Cost: each metadata file on the way is read once. */
  resolve(place: MetadataPlace, entries: Iterable<ThetaEntry>, signal?: AbortSignal): Promise<Resolved>;
}

export interface ChainResolverOptions {
  readonly repository: GitRepository;
  readonly metadata: MetadataStore;
  /** Path in the LFS store of an object, whether it is there or not. */
  readonly objectPath: (oid: string) => string;
}

/** What belongs to one call, with all that it makes necessary. */
interface ResolveContext {
  readonly signal: AbortSignal | undefined;
  readonly lost: LostBases;
}

/**
 * Resolves parameter groups to their update chains across commits. git-theta's rule: the base of an incremental entry is the entry of the
 * same name in the same path at `last_commit`. Where git-theta fails because the file was renamed or the commit is gone, the base is looked
 * for by content. Walks all groups side by side, without recursion, and remembers every link by path, blob and name.
 */
export function createChainResolver(options: ChainResolverOptions): ChainResolver {
  const links = new Map<string, Link>();
  const noted: NotedBases = new Map();
  const linkOf = (place: MetadataPlace, entry: ThetaEntry) => `${place.path}\0${place.blob}\0${entry.name}`;

  /** Ends a walk: its links, base first, on top of what is known already. */
  const join = (walk: Walk, base: Link | null): Link => {
    let link = base;
    for (const { key, step } of walk.found.reverse()) {
      link = { step, base: link };
      links.set(key, link);
    }
    if (link === null) throw new TypeError('a chain without links');
    return link;
  };

  /** One step towards the base: the finished link, or `null` when the walk goes on at `walk.here`. */
  const advance = async (walk: Walk, context: ResolveContext): Promise<Link | null> => {
    const { place, entry } = walk.here;
    const key = linkOf(place, entry);
    const known = links.get(key);
    if (known !== undefined) return join(walk, known);
    if (walk.seen.has(key)) throw broken(walk, 'its updates run in a circle');
    walk.seen.add(key);
    const kind = entry.updateType;
    if (!isUpdateKind(kind)) {
      throw new CheckpointError('unsupported-format', `The update type ${JSON.stringify(kind.slice(0, 80))} is not known.`, { place: errorPlace(walk) });
    }
    const object = { oid: entry.oid, bytes: entry.bytes, path: options.objectPath(entry.oid) };
    walk.found.push({ key, step: { kind, object, commit: place.commit } });
    if (kind === 'dense') return join(walk, null);
    walk.here = await findBase(walk, { ...options, ...context, resolve, noted });
    return null;
  };

  const resolve = async (place: MetadataPlace, entries: Iterable<ThetaEntry>, context: ResolveContext): Promise<Resolved> => {
    const { signal } = context;
    const chains = new Map<string, UpdateChain | CheckpointError>();
    let walks: Walk[] = [];
    for (const entry of entries) walks.push({ name: entry.name, found: [], seen: new Set(), here: { place, entry } });
    while (walks.length > 0) {
      const going: Walk[] = [];
      for (const walk of walks) {
        signal?.throwIfAborted();
        try {
          const link = await advance(walk, context);
          if (link === null) going.push(walk);
          else chains.set(walk.name, { group: walk.name, steps: stepsOf(link) });
        } catch (error) {
          if (signal?.aborted || isCheckpointError(error, 'cancelled')) throw error;
          chains.set(walk.name, CheckpointError.from(error).at({ group: walk.name, commit: place.commit, file: place.path }));
        }
      }
      walks = going;
    }
    return chains;
  };

  return { resolve: (place, entries, signal) => resolve(place, entries, { signal, lost: new LostBases() }) };
}

function stepsOf(tip: Link): readonly ChainStep[] {
  const steps: ChainStep[] = [];
  for (let link: Link | null = tip; link !== null; link = link.base) steps.push(link.step);
  return steps.reverse();
}

interface BaseSearch extends ChainResolverOptions, ResolveContext {
  readonly resolve: (place: MetadataPlace, entries: Iterable<ThetaEntry>, context: ResolveContext) => Promise<Resolved>;
  readonly noted: NotedBases;
}

/** The base as git-theta finds it; where that fails, as the object notes it; where that is not noted, by content. */
async function findBase(walk: Walk, search: BaseSearch): Promise<ResolvedEntry> {
  const { lost, noted, objectPath, signal } = search;
  const byNote = () => findNotedBase({ here: walk.here, objectPath, noted, signal });
  if (walk.here.entry.lastCommit === null || lost.isLost(walk.here)) {
    const base = await byNote();
    if (base !== null) return base;
  }
  try {
    return await findByCommit(walk, search);
  } catch (error) {
    if (!isCheckpointError(error, 'malformed') && !isCheckpointError(error, 'missing-object')) throw error;
    const base = await byNote();
    if (base !== null) return base;
    throw error;
  }
}

async function findByCommit(walk: Walk, search: BaseSearch): Promise<ResolvedEntry> {
  const { place, entry } = walk.here;
  const { repository, metadata, lost, signal } = search;
  if (entry.lastCommit === null) throw broken(walk, `it is a ${entry.updateType} update that names no commit of its base`);
  const commit = entry.lastCommit;
  const at = async (path: string, blob: string): Promise<ResolvedEntry> => {
    const base = (await metadata.parsed(blob, path)).entries.get(entry.name);
    if (base === undefined) throw broken(walk, `its base is missing: ${path} has no such group at commit ${commit.slice(0, 10)}`);
    return { place: { commit, path, blob }, entry: base };
  };
  // Asking git for a commit that is not there takes a process.
  if (lost.isLost(walk.here)) return findLost(walk, search);
  let blob: string | null;
  try {
    blob = await metadata.blobAt(commit, place.path);
  } catch (error) {
    if (!isCheckpointError(error, 'not-found') && !isCheckpointError(error, 'missing-object')) throw error;
    return (await findNotedBase({ ...search, here: walk.here })) ?? findLost(walk, search);
  }
  if (blob !== null) return at(place.path, blob);
  // Renamed since, perhaps more than once.
  let here: FormerPath = place;
  const seen = new Set<string>();
  for (;;) {
    seen.add(`${here.commit}\0${here.path}`);
    const former = await findFormerPath({ repository, metadata, commit: here.commit, path: here.path, entry, ...(signal === undefined ? {} : { signal }) });
    if (former === null || seen.has(`${former.commit}\0${former.path}`))
      throw broken(walk, `its base is missing: ${place.path} is not in commit ${commit.slice(0, 10)}, under this name or a former one`);
    const formerBlob = await metadata.blobAt(commit, former.path);
    if (formerBlob !== null) return at(former.path, formerBlob);
    here = former;
  }
}

async function findLost(walk: Walk, search: BaseSearch): Promise<ResolvedEntry> {
  const { place, entry } = walk.here;
  const { repository, metadata, objectPath, lost, signal } = search;
  const chainOf = async (candidate: ResolvedEntry) => {
    const chains = await search.resolve(candidate.place, [candidate.entry], { signal, lost });
    return chains.get(candidate.entry.name) ?? new CheckpointError('internal', 'This parameter group was not resolved.');
  };
  const found = await lost.find(walk.here, (budget) => findLostBase({ repository, metadata, objectPath, place, entry, resolve: chainOf, budget, signal }));
  if (found !== null) return found;
  throw new CheckpointError(
    'missing-object',
    `The base of this ${entry.updateType} update is gone: commit ${entry.lastCommit?.slice(0, 10)} is not in the repository.`,
    {
      place: errorPlace(walk),
      hint: 'A shallow clone, or a rebase, squash or amend, took it away. Fetch the full history, or the branch that still has the commit.',
    },
  );
}

function errorPlace(walk: Walk) {
  return { file: walk.here.place.path, group: walk.name, commit: walk.here.place.commit, oid: walk.here.entry.oid };
}

function broken(walk: Walk, what: string): CheckpointError {
  return new CheckpointError('malformed', `This parameter group cannot be reconstructed: ${what}.`, { place: errorPlace(walk) });
}
