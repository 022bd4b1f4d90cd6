import { createHash } from 'node:crypto';

/** Id that git gives a blob with this content, in a repository whose object ids have `digits` hexadecimal digits (40: SHA-1, 64: SHA-256). */
export function blobId(content: Uint8Array, digits: number): string {
  return createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.byteLength}\0`)
    .update(content)
    .digest('hex');
}
