/**
 * Whether a blob is a git-theta metadata file, by content: a JSON object with `lfs_metadata` in it.
 * The empty checkpoint, `{}`, is one only where the attributes say so (`tracked`); so is a file with conflict markers.
 */
export function looksLikeMetadata(bytes: Uint8Array, tracked: boolean): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = text.subarray(0, 64).toString('latin1').trimStart();
  const json = start.startsWith('{');
  if (tracked && (json || start.startsWith('<<<<<<< '))) return true;
  return (json || start.startsWith('<<<<<<< ')) && text.includes('"lfs_metadata"');
}
