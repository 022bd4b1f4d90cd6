import { isCommitHash } from '../../shared/model/commit';
import type { SideChoice } from './sideChoice';

/** A choice before the host has said what it is: `model.pt at main`, `model.pt (working tree)`, a path. */
export function describeChoice(choice: SideChoice): string {
  const other = choice.kind === 'file' || choice.repository === null ? '' : ` in ${baseName(choice.repository)}`;
  switch (choice.kind) {
    case 'file':
      return choice.path;
    case 'worktree':
      return `${choice.path} (working tree)${other}`;
    case 'revision':
      return `${choice.path} at ${isCommitHash(choice.revision) ? choice.revision.slice(0, 8) : choice.revision}${other}`;
  }
}

export function baseName(path: string): string {
  return path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
}
