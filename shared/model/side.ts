import type { CommitHash } from './commit';

/** One side of a comparison: a version, the working tree's file, or a file anywhere on the host. `repository` is the id of an opened one. */
export type Side =
  | { readonly kind: 'version'; readonly repository: string; readonly commit: CommitHash; readonly path: string }
  | { readonly kind: 'worktree'; readonly repository: string; readonly path: string }
  | { readonly kind: 'file'; readonly path: string };
