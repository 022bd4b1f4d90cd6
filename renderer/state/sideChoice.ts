import { isCommitHash } from '../../shared/model/commit';

/** What one side of a comparison was chosen to be: lasting words, resolved to a `Side` when the comparison is opened. `repository` is a folder; `null`: the opened one. */
export type SideChoice =
  | { readonly kind: 'revision'; readonly repository: string | null; readonly revision: string; readonly path: string }
  | { readonly kind: 'worktree'; readonly repository: string | null; readonly path: string }
  | { readonly kind: 'file'; readonly path: string };

/** A choice in an address: `rev:main:model.pt`, `tree:model.pt`, `file:/data/base.pt`; the folder of another repository comes last. */
export function formatSide(choice: SideChoice): string {
  const place = (repository: string | null) => (repository === null ? [] : [repository]);
  switch (choice.kind) {
    case 'revision':
      return join(['rev', choice.revision, choice.path, ...place(choice.repository)]);
    case 'worktree':
      return join(['tree', choice.path, ...place(choice.repository)]);
    case 'file':
      return join(['file', choice.path]);
  }
}

/** Reads what `formatSide` wrote; `null` for anything else. */
export function parseSide(text: string): SideChoice | null {
  const [kind, ...parts] = text.split(':').map((part) => part.replace(/%3A/gi, ':').replaceAll('%25', '%'));
  if (parts.some((part) => part === '' || part.includes('\0'))) return null;
  const [first, second, third] = parts;
  if (first === undefined) return null;
  if (kind === 'file' && parts.length === 1) return { kind: 'file', path: first };
  if (kind === 'tree' && parts.length <= 2 && isInside(first)) return { kind: 'worktree', path: first, repository: second ?? null };
  if (kind === 'rev' && second !== undefined && parts.length <= 3 && isInside(second)) {
    return { kind: 'revision', revision: first, path: second, repository: third ?? null };
  }
  return null;
}

/** Whether a choice can mean something else tomorrow. */
export function mayMove(choice: SideChoice | null): boolean {
  return choice !== null && (choice.kind === 'worktree' || (choice.kind === 'revision' && !isCommitHash(choice.revision)));
}

function join(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':');
}

function isInside(path: string): boolean {
  return !path.startsWith('/') && path.split('/').every((part) => part !== '' && part !== '..');
}
