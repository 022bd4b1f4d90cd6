import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import type { TimelineIndex } from '../../../shared/model/timeline';
import type { PartWindow } from '../../workers/tasks/changedParts';
import { type GroupHistory, groupHistory } from './groupHistory';
import { type CellContext, type CellValue, isOpen, openCells } from './openCells';

export interface BlameWanted {
  readonly commit: CommitHash;
  readonly group: string;
  readonly window: PartWindow | null;
}

export interface Blame {
  /** Commits that changed the group, newest first. */
  readonly commits: readonly CommitHash[];
  /** Place in `commits` of each row's last change. */
  readonly rows: Int32Array<ArrayBuffer>;
  readonly elements: Int32Array<ArrayBuffer> | null;
  readonly note: string | null;
}

const UNDECIDED = -1;

/**
 * Which commit last changed each row (leading axes × last axis) of a group, and each element of a window: the versions of the group are compared
 * with those before them, newest first, until all is decided. History is followed along first parents; at a merge into the parent that has
 * the very value, where one has.
 * @param index of a timeline that ends at `wanted.commit`
 * @throws CheckpointError not-found when the commit has no such group; why that version cannot be read
 */
export async function blameGroup(context: CellContext, index: TimelineIndex, wanted: BlameWanted): Promise<Blame> {
  const { commit, group } = wanted;
  const history = groupHistory(index, group);
  const start = history?.place(commit);
  if (history === null || start === undefined || history.contents[start] === 0 || history.nameAt(start) !== group) throw noGroup(context, wanted);
  let here = await valueAt(context, history, start);
  if (!isOpen(here)) throw CheckpointError.fromData(here.error);
  const state = new BlameState(wanted.window);
  for (let column = origin(history, start); ; ) {
    const parent = lastWith(history, column);
    const at = history.index.columns[column]?.commit ?? commit;
    if (parent === null) {
      await state.compare(context, { before: null, after: here, commit: at });
      return state.finish(index.omitted > 0 && history.index.columns[column]?.parents.length === 0 ? OLDER : null);
    }
    const before = await valueAt(context, history, parent);
    const failed = isOpen(before) ? await state.tryCompare(context, { before, after: here, commit: at }) : CheckpointError.fromData(before.error);
    if (failed !== null || !isOpen(before)) {
      await state.compare(context, { before: null, after: here, commit: at });
      return state.finish(`History ends at commit ${at.slice(0, 10)}: the version before it cannot be read. ${failed?.message ?? ''}`.trim());
    }
    if (state.decided) return state.finish(null);
    here = before;
    column = origin(history, parent);
  }
}

const OLDER = 'Older commits were left out of the timeline: its oldest one stands for all before it.';

function valueAt(context: CellContext, { index, nameAt }: GroupHistory, column: number) {
  const commit = index.columns[column]?.commit;
  if (commit === undefined) throw new TypeError(`no column ${column}`);
  return openCells(context, [{ commit, group: nameAt(column) }]).then(([cell]) => {
    if (cell === undefined) throw new TypeError('no cell');
    return cell;
  });
}

/** The commit that gave the group the value it has at `column`: back through every parent that has the same. */
function origin({ index, contents }: GroupHistory, column: number): number {
  for (let at = column; ; ) {
    const same = (index.columns[at]?.parents ?? []).find((parent) => contents[parent] === contents[at]);
    if (same === undefined) return at;
    at = same;
  }
}

/** The parent that a change is compared with: the first one that has the group. */
function lastWith({ index, contents }: GroupHistory, column: number): number | null {
  return (index.columns[column]?.parents ?? []).find((parent) => contents[parent] !== 0) ?? null;
}

interface Comparison {
  readonly before: CellValue | null;
  readonly after: CellValue;
  readonly commit: CommitHash;
}

/** What is decided so far. */
class BlameState {
  readonly #window: PartWindow | null;
  readonly #commits: CommitHash[] = [];
  #rows: Int32Array<ArrayBuffer> | null = null;
  #elements: Int32Array<ArrayBuffer> | null = null;
  #open = Number.POSITIVE_INFINITY;

  constructor(window: PartWindow | null) {
    this.#window = window;
  }

  get decided(): boolean {
    return this.#open === 0;
  }

  async compare({ pool, signal }: CellContext, { before, after, commit }: Comparison): Promise<void> {
    const found = await pool.run('changedParts', { before: before?.plan ?? null, after: after.plan, window: this.#window }, { signal });
    this.#rows ??= new Int32Array(found.rows.length).fill(UNDECIDED);
    this.#elements ??= found.elements === null ? null : new Int32Array(found.elements.length).fill(UNDECIDED);
    // A value that was only stored anew is no change; the last one stands for all that is left, also of an empty tensor.
    if (before !== null && !found.rows.includes(1)) return this.#count();
    const place = this.#commits.push(commit) - 1;
    decide(this.#rows, found.rows, place);
    if (this.#elements !== null && found.elements !== null) decide(this.#elements, found.elements, place);
    this.#count();
  }

  /** @returns why the version before cannot be read */
  async tryCompare(context: CellContext, comparison: Comparison): Promise<CheckpointError | null> {
    try {
      await this.compare(context, comparison);
      return null;
    } catch (error) {
      if (context.signal.aborted || isCheckpointError(error, 'cancelled')) throw error;
      return CheckpointError.from(error);
    }
  }

  finish(note: string | null): Blame {
    return { commits: this.#commits, rows: this.#rows ?? new Int32Array(0), elements: this.#elements, note };
  }

  #count(): void {
    let open = 0;
    for (const values of [this.#rows, this.#elements]) if (values?.includes(UNDECIDED) === true) open++;
    this.#open = open;
  }
}

/** The newest change of each place is the one that is met first. A reshaped value has changed everywhere, so masks fit as long as anything is open. */
function decide(into: Int32Array, changed: Uint8Array, place: number): void {
  for (let index = 0; index < into.length; index++) if (into[index] === UNDECIDED && changed[index] === 1) into[index] = place;
}

function noGroup({ path }: CellContext, { commit, group }: BlameWanted): CheckpointError {
  return new CheckpointError('not-found', `${path} has no parameter group of this name in this version.`, { place: { file: path, commit, group } });
}
