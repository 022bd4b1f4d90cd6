import { createHash, type Hash } from 'node:crypto';

/** What a digest is taken of: the bytes as they are, or what git hashes for a blob (`blob <size>\0`, then the bytes). */
export const DIGEST_KINDS = ['sha256', 'git-sha1', 'git-sha256'] as const;
export type DigestKind = (typeof DIGEST_KINDS)[number];

/** A running digest over `bytes` bytes in total; `digest('hex')` ends it. */
export function createDigest(kind: DigestKind, bytes: number): Hash {
  const hash = createHash(kind === 'git-sha1' ? 'sha1' : 'sha256');
  if (kind !== 'sha256') hash.update(`blob ${bytes}\0`);
  return hash;
}
