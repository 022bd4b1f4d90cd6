import { Copy, GitBranch, GitBranchPlus, GitCompareArrows, Tag } from 'lucide-react';
import type { CommitHash, HeadInfo, RefInfo } from '../../shared/model/commit';
import { copyText } from './copyText';
import type { MenuItem } from './Menu';

/** Branches of one commit that get an item of their own. */
const MOST_BRANCHES = 8;

export interface CommitMenuActions {
  readonly createBranch: (commit: CommitHash) => void;
  readonly createTag: (commit: CommitHash) => void;
  readonly switchTo: (branch: string) => void;
  readonly compareWithParent: (commit: CommitHash, parent: CommitHash) => void;
  readonly compareWithWorkTree: (commit: CommitHash) => void;
  readonly compareCommits: (one: CommitHash, other: CommitHash) => void;
  /** Keeps the commit as the first of two. */
  readonly markToCompare: (commit: CommitHash) => void;
}

interface CommitMenuFacts {
  readonly commit: CommitHash;
  readonly refs: readonly RefInfo[];
  readonly head: HeadInfo;
  /** There is no working tree to switch. */
  readonly bare: boolean;
  /** Its first parent; `null` for a first commit. */
  readonly parent: CommitHash | null;
  /** Another commit that it may be compared with: a marked one, or the one that was selected before. */
  readonly other: CommitHash | null;
  /** A checkpoint is chosen, of which two versions can be compared. */
  readonly canCompare: boolean;
}

/** What can be done with a commit: wherever one is shown, the same items in the same order. */
export function commitMenuItems(facts: CommitMenuFacts, actions: CommitMenuActions): MenuItem[] {
  const { commit, refs, head, bare } = facts;
  const current = head.kind === 'branch' ? head.name : null;
  const branches = refs.filter((ref) => ref.kind === 'branch' && ref.commit === commit && ref.name !== current);
  return [
    ...(bare ? [] : branches.slice(0, MOST_BRANCHES)).map(
      ({ name }): MenuItem => ({
        id: `switch:${name}`,
        label: `Switch to ${name}`,
        icon: <GitBranch size={14} />,
        onSelect: () => actions.switchTo(name),
      }),
    ),
    {
      id: 'branch',
      label: 'Create branch here…',
      icon: <GitBranchPlus size={14} />,
      startsGroup: !bare && branches.length > 0,
      onSelect: () => actions.createBranch(commit),
    },
    { id: 'tag', label: 'Create tag here…', icon: <Tag size={14} />, onSelect: () => actions.createTag(commit) },
    ...(facts.canCompare ? compareItems(facts, actions) : []),
    { id: 'copy', label: 'Copy hash', icon: <Copy size={14} />, startsGroup: true, onSelect: () => void copyText(commit) },
  ];
}

function compareItems({ commit, bare, parent, other }: CommitMenuFacts, actions: CommitMenuActions): MenuItem[] {
  const second = other === commit ? null : other;
  return [
    {
      id: 'compare-parent',
      label: 'Compare with parent',
      icon: <GitCompareArrows size={14} />,
      startsGroup: true,
      disabled: parent === null,
      onSelect: () => {
        if (parent !== null) actions.compareWithParent(commit, parent);
      },
    },
    ...(bare ? [] : [{ id: 'compare-worktree', label: 'Compare with the working tree', onSelect: () => actions.compareWithWorkTree(commit) }]),
    ...(second === null ? [] : [{ id: 'compare-other', label: `Compare with ${second.slice(0, 8)}`, onSelect: () => actions.compareCommits(commit, second) }]),
    { id: 'compare-mark', label: 'Mark to compare with another', onSelect: () => actions.markToCompare(commit) },
  ];
}
