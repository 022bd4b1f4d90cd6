import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import { type Condition, holds, isChangeQuantity } from '../../../shared/model/condition';
import type { TimelineIndex } from '../../../shared/model/timeline';
import { groupHistory } from './groupHistory';
import { comparePairs, measureCells } from './measureCells';
import type { Cell, CellContext } from './openCells';
import { changeQuantity, valueQuantity } from './quantities';

export interface Tested {
  readonly commit: CommitHash;
  readonly value: number | null;
  readonly holds: boolean;
}

export interface Bisection {
  readonly found: CommitHash | null;
  /** In the order in which they were reconstructed. */
  readonly tested: readonly Tested[];
  readonly note: string | null;
}

/** A commit that gave the group a new value, and the one that had the value before. */
interface GroupVersion {
  readonly commit: CommitHash;
  /** Its name there. */
  readonly group: string;
  readonly before: Cell | null;
}

const PRESUMED = 'Bisection presumes that the condition stays true once it holds; versions that were not looked at may differ.';

/**
 * The first commit, along first parents from `tip`, at which a condition on a group holds: the ends first, then by halving. Only versions in which the
 * content of the group changed are looked at; one that cannot be read is passed over.
 * @throws CheckpointError not-found when no version on the way has the group; why, when neither end can be read
 */
export async function bisectGroup(
  context: CellContext,
  index: TimelineIndex,
  wanted: { readonly tip: CommitHash; readonly group: string; readonly condition: Condition },
): Promise<Bisection> {
  const versions = versionsOf(index, wanted.group, wanted.tip);
  if (versions.length === 0) {
    throw new CheckpointError('not-found', `No version of ${context.path} has a parameter group of this name.`, {
      place: { file: context.path, group: wanted.group },
      hint: 'Versions are looked for along first parents.',
    });
  }
  const search = new Search(context, wanted, versions);
  const first = await search.nearest(0, versions.length - 1, 1);
  if (first === null) throw search.failure();
  if (search.holdsAt(first)) return search.finish(first, first === 0 ? 'The condition holds at the first version already.' : null);
  const last = await search.nearest(versions.length - 1, first, -1);
  if (last === null || last === first || !search.holdsAt(last)) {
    const never =
      versions.length === 1
        ? 'The condition does not hold at the only version.'
        : `The condition holds neither at the first version nor at the last. ${PRESUMED}`;
    return search.finish(null, never);
  }
  let low = first;
  let high = last;
  while (high - low > 1) {
    const middle = await search.between(low, high);
    if (middle === null) return search.finish(high, `Versions right before this one cannot be read: it may have held there already. ${PRESUMED}`);
    if (search.holdsAt(middle)) high = middle;
    else low = middle;
  }
  return search.finish(high, PRESUMED);
}

/** Oldest first. */
function versionsOf(index: TimelineIndex, group: string, tip: CommitHash): readonly GroupVersion[] {
  const history = groupHistory(index, group);
  const versions: GroupVersion[] = [];
  for (let column = history?.place(tip); history !== null && column !== undefined; column = index.columns[column]?.parents[0]) {
    const [parent] = index.columns[column]?.parents ?? [];
    const before = parent === undefined ? 0 : (history.contents[parent] ?? 0);
    const content = history.contents[column] ?? 0;
    const commit = index.columns[column]?.commit;
    if (commit === undefined || content === 0 || content === before) continue;
    const earlier = parent === undefined || before === 0 ? undefined : index.columns[parent]?.commit;
    const group = history.nameAt(column);
    versions.push({ commit, group, before: earlier === undefined || parent === undefined ? null : { commit: earlier, group: history.nameAt(parent) } });
  }
  return versions.reverse();
}

/** Versions that were looked at. */
class Search {
  readonly #context: CellContext;
  readonly #wanted: { readonly group: string; readonly condition: Condition };
  readonly #versions: readonly GroupVersion[];
  readonly #tested = new Map<number, Tested>();
  readonly #failed = new Map<number, CheckpointError>();

  constructor(context: CellContext, wanted: { readonly group: string; readonly condition: Condition }, versions: readonly GroupVersion[]) {
    this.#context = context;
    this.#wanted = wanted;
    this.#versions = versions;
  }

  holdsAt(version: number): boolean {
    return this.#tested.get(version)?.holds === true;
  }

  /** The first version from `from` to `to` that can be read; `null` when none can. */
  async nearest(from: number, to: number, step: 1 | -1): Promise<number | null> {
    for (let version = from; ; version += step) {
      if (await this.#test(version)) return version;
      if (version === to) return null;
    }
  }

  /** One that can be read between two others, as near to the middle as possible. */
  async between(low: number, high: number): Promise<number | null> {
    const middle = (low + high) >>> 1;
    for (let away = 0; middle - away > low || middle + away < high; away++) {
      for (const version of away === 0 ? [middle] : [middle - away, middle + away]) {
        if (version > low && version < high && (await this.#test(version))) return version;
      }
    }
    return null;
  }

  failure(): CheckpointError {
    const [error] = this.#failed.values();
    return error ?? new CheckpointError('internal', 'No version was looked at.');
  }

  finish(version: number | null, note: string | null): Bisection {
    const found = version === null ? null : (this.#versions[version]?.commit ?? null);
    const passed = this.#failed.size;
    const over = passed === 0 ? null : `${passed} ${passed === 1 ? 'version' : 'versions'} could not be read and ${passed === 1 ? 'was' : 'were'} passed over.`;
    return { found, tested: [...this.#tested.values()], note: [note, over].filter((text) => text !== null).join(' ') || null };
  }

  async #test(version: number): Promise<boolean> {
    if (this.#tested.has(version)) return true;
    if (this.#failed.has(version)) return false;
    const item = this.#versions[version];
    if (item === undefined) return false;
    const { value, error } = await this.#measure(item);
    if (error !== null) {
      this.#failed.set(version, CheckpointError.fromData(error));
      return false;
    }
    this.#tested.set(version, { commit: item.commit, value, holds: holds(this.#wanted.condition, value) });
    return true;
  }

  async #measure({ commit, group, before }: GroupVersion) {
    const { quantity } = this.#wanted.condition;
    const cell = { commit, group };
    if (isChangeQuantity(quantity)) {
      const [compared] = await comparePairs(this.#context, [{ before, after: cell }]);
      return { value: compared?.numbers == null ? null : changeQuantity(compared.numbers, quantity), error: compared?.error ?? null };
    }
    const [measured] = await measureCells(this.#context, [cell], null);
    return { value: measured?.stats == null ? null : valueQuantity(measured.stats, quantity), error: measured?.error ?? null };
  }
}
