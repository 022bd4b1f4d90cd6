import type { HeadInfo, RefInfo } from '../../../shared/model/commit';

/** Labels in a row; more would leave no room for the message. */
const MOST_LABELS = 3;
/** Names of the others that are told; a commit may have thousands. */
const MOST_NAMES = 20;

export interface RefsInRow {
  readonly shown: readonly RefInfo[];
  readonly hidden: readonly RefInfo[];
  /** How many there are besides `shown` and `hidden`. */
  readonly untold: number;
}

export function isCurrentBranch(ref: RefInfo, head: HeadInfo): boolean {
  return head.kind === 'branch' && ref.kind === 'branch' && head.name === ref.name;
}

/** Which refs of a commit get a label: the current branch before all, the others in the order of git. */
export function refsInRow(refs: readonly RefInfo[], head: HeadInfo): RefsInRow {
  const current = refs.filter((ref) => isCurrentBranch(ref, head));
  const ordered = current.length === 0 ? refs : [...current, ...refs.filter((ref) => !isCurrentBranch(ref, head))];
  const last = MOST_LABELS + MOST_NAMES;
  return { shown: ordered.slice(0, MOST_LABELS), hidden: ordered.slice(MOST_LABELS, last), untold: Math.max(0, ordered.length - last) };
}
