import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { pairEqual } from '../../../shared/model/pairEqual';
import { isCommonContent } from '../../theta/findRenames';
import type { ThetaEntry } from '../../theta/metadata';
import type { UpdateChain } from '../../updates/updateChain';
import { forEachLimited } from '../forEachLimited';
import { linkedController } from '../linkedController';
import type { Candidate } from './candidates';
import { type DigestContext, digestOfChain } from './digests';
import type { SourceGroup } from './sourceGroup';

/** A group of the file that has the very value that another name had at HEAD. */
export interface Renamed {
  readonly from: string;
  /** SHA-256 of the value. */
  readonly sha256: string;
  /**
   * The entry under the new name, with the object that is there already. `null` where the value has to be stored whole: git-theta looks for what an
   * update builds on under the name that the group has now.
   */
  readonly kept: { readonly entry: ThetaEntry; readonly chain: UpdateChain } | null;
}

export interface RenameSearch extends DigestContext {
  readonly groups: readonly SourceGroup[];
  readonly candidates: readonly Candidate[];
  readonly head: CommitHash | null;
  /** SHA-256 of values of the file that were hashed already, by joined name. */
  readonly digests: ReadonlyMap<string, string>;
  /** Groups whose new value is made by an update that was given: no new names. */
  readonly declared: ReadonlyMap<string, unknown>;
}

/** By joined name. Values are hashed only where a group is new and one of the same dtype and shape is gone. */
export async function findRenamed(search: RenameSearch): Promise<ReadonlyMap<string, Renamed>> {
  const { groups, candidates, head, declared } = search;
  const before = candidates.find(({ from }) => from === 'head');
  if (before === undefined) return new Map();
  const names = new Set(groups.map(({ name }) => name));
  const gone = [...before.metadata.entries.values()].filter(({ name }) => !names.has(name));
  const added = groups.filter(({ name }) => !before.metadata.entries.has(name) && !declared.has(name));
  const kinds = { gone: new Set(gone.map(kindOf)), added: new Set(added.map(kindOf)) };
  const a = gone.filter((entry) => kinds.added.has(kindOf(entry)));
  const b = added.filter((group) => kinds.gone.has(kindOf(group)));
  const digests = await digestAll(search, before, { a, b });
  const entryOf = new Map<string, ThetaEntry>(a.map((entry) => [entry.name, entry]));
  const pairs = pairEqual<ThetaEntry | SourceGroup>(
    { a, b },
    {
      nameOf: ({ name }) => name,
      keyOf: (one) => keyOf(one, digests.get(one)),
      isCommon: (pair) => {
        const entry = entryOf.get(pair.a.name);
        return entry === undefined || isCommonContent(entry);
      },
    },
  );
  return new Map(
    pairs.flatMap(({ a: { name: from }, b: { name, keys: path } }) => {
      const entry = entryOf.get(from);
      const chain = before.chains.get(from);
      const sha256 = entry === undefined ? undefined : digests.get(entry);
      if (entry === undefined || sha256 === undefined) return [];
      const isWhole = entry.updateType === 'dense' && chain !== undefined && !(chain instanceof CheckpointError);
      const kept = isWhole ? { entry: { ...entry, keys: path, name, lastCommit: head }, chain: { ...chain, group: name } } : null;
      return [[name, { from, sha256, kept }] as const];
    }),
  );
}

function kindOf({ dtype, shape }: Pick<SourceGroup, 'dtype' | 'shape'>): string {
  return `${dtype} [${shape.join(',')}]`;
}

function keyOf(one: ThetaEntry | SourceGroup, digest: string | undefined): string | null {
  return digest === undefined ? null : `${kindOf(one)} ${digest}`;
}

async function digestAll(
  search: RenameSearch,
  before: Candidate,
  { a, b }: { readonly a: readonly ThetaEntry[]; readonly b: readonly SourceGroup[] },
): Promise<ReadonlyMap<ThetaEntry | SourceGroup, string>> {
  const found = new Map<ThetaEntry | SourceGroup, string>();
  const { controller, release } = linkedController(search.signal);
  const { pool, digests } = search;
  const context: DigestContext = { pool, cache: search.cache, signal: controller.signal };
  const options = { signal: controller.signal, priority: 'background' } as const;
  const work = [
    ...a.map((entry) => async () => {
      const digest = await digestOfChain(before.chains.get(entry.name), entry, context);
      if (digest !== null) found.set(entry, digest);
    }),
    ...b.map((group) => async () => {
      found.set(group, digests.get(group.name) ?? (await pool.run('digest', { plan: group.plan }, options)).sha256);
    }),
  ];
  try {
    await forEachLimited(work, (run) => run(), { limit: pool.size * 2, controller });
  } finally {
    release();
  }
  return found;
}
