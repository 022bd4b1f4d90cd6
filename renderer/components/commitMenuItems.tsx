import { Copy, GitBranch, GitBranchPlus, Tag } from 'lucide-react';
import type { CommitHash, HeadInfo, RefInfo } from '../../shared/model/commit';
import { copyText } from './copyText';
import type { MenuItem } from './Menu';

/** Branches of one commit that get an item of their own. */
const MOST_BRANCHES = 8;

export interface CommitMenuActions {
  readonly createBranch: (commit: CommitHash) => void;
  readonly createTag: (commit: CommitHash) => void;
  readonly switchTo: (branch: string) => void;
}

interface CommitMenuFacts {
  readonly commit: CommitHash;
  readonly refs: readonly RefInfo[];
  readonly head: HeadInfo;
  /** There is no working tree to switch. */
  readonly bare: boolean;
}

/** What can be done with a commit: wherever one is shown, the same items in the same order. */
export function commitMenuItems({ commit, refs, head, bare }: CommitMenuFacts, actions: CommitMenuActions): MenuItem[] {
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
    { id: 'copy', label: 'Copy hash', icon: <Copy size={14} />, startsGroup: true, onSelect: () => void copyText(commit) },
  ];
}
