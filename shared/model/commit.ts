declare const commitHashBrand: unique symbol;

/** Full lowercase hexadecimal object id of a commit (40 digits, 64 in a SHA-256 repository). */
export type CommitHash = string & { readonly [commitHashBrand]: true };

export function isCommitHash(text: string): text is CommitHash {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** The id that git writes where there is no commit, in its 40-digit form: a repository without commits, a ref that is made or removed. */
export const NO_COMMIT = '0'.repeat(40) as CommitHash;

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970-01-01 UTC. */
  readonly time: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

export interface CommitInfo {
  readonly hash: CommitHash;
  readonly parents: readonly CommitHash[];
  readonly author: Signature;
  /** First paragraph of the message, on one line. */
  readonly title: string;
}

export interface CommitDetail extends CommitInfo {
  readonly committer: Signature;
  /** Message after the title, without the blank line between them. */
  readonly body: string;
}

export type RefKind = 'branch' | 'remote-branch' | 'tag';

export interface RefInfo {
  readonly kind: RefKind;
  /** Short name: `main`, `origin/main`, `v1`. */
  readonly name: string;
  /** Commit that the ref ends at; tags of tags are followed. */
  readonly commit: CommitHash;
}

export type HeadInfo =
  | { readonly kind: 'branch'; readonly name: string; readonly commit: CommitHash }
  | { readonly kind: 'unborn'; readonly name: string }
  | { readonly kind: 'detached'; readonly commit: CommitHash };

export interface RemoteInfo {
  readonly name: string;
  /** Address without user name and password. */
  readonly url: string;
}

/** Commit that HEAD stands at; `null` in a repository without commits. */
export function headCommit(head: HeadInfo): CommitHash | null {
  return head.kind === 'unborn' ? null : head.commit;
}
