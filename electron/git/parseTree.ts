import { CheckpointError } from '../../shared/contract/errors';
import { decodeUtf8 } from './decodeText';
import type { TreeEntry } from './gitRepository';

export interface RawTreeEntry {
  /** Octal digits as the tree has them: `100644`, `40000`. */
  readonly mode: string;
  readonly nameBytes: Uint8Array;
  readonly oid: string;
}

/**
 * Entries of a tree object: `mode SP name NUL oid` repeated, the oid in raw bytes (20, or 32 in a SHA-256 repository).
 * @throws corrupt-object when it ends within an entry
 */
export function* parseTree(bytes: Uint8Array, tree: string): Generator<RawTreeEntry> {
  const oidLength = tree.length / 2;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  while (position < buffer.length) {
    const space = buffer.indexOf(0x20, position);
    const nul = space === -1 ? -1 : buffer.indexOf(0, space);
    if (space === -1 || nul === -1 || nul + 1 + oidLength > buffer.length) throw cutOff(tree, position);
    yield {
      mode: buffer.toString('latin1', position, space),
      nameBytes: buffer.subarray(space + 1, nul),
      oid: buffer.toString('hex', nul + 1, nul + 1 + oidLength),
    };
    position = nul + 1 + oidLength;
  }
}

/** The entry of one name, without decoding the others: trees are searched by the hundred thousand. `null` when there is none. */
export function findInTree(
  bytes: Uint8Array,
  tree: string,
  name: string,
): { readonly kind: TreeEntry['kind']; readonly mode: string; readonly oid: string } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.from(` ${name}\0`, 'utf8');
  const oidLength = tree.length / 2;
  for (let position = 0; position < buffer.length; ) {
    const space = buffer.indexOf(0x20, position);
    const nul = space === -1 ? -1 : buffer.indexOf(0, space);
    if (nul === -1 || nul + 1 + oidLength > buffer.length) throw cutOff(tree, position);
    const next = nul + 1 + oidLength;
    if (nul + 1 - space === wanted.length && buffer.compare(wanted, 0, wanted.length, space, nul + 1) === 0) {
      const mode = buffer.toString('latin1', position, space);
      return { kind: kindOfMode(mode), mode, oid: buffer.toString('hex', nul + 1, next) };
    }
    position = next;
  }
  return null;
}

function cutOff(tree: string, offset: number): CheckpointError {
  return new CheckpointError('corrupt-object', `Tree ${tree} is damaged: an entry is cut off.`, {
    place: { oid: tree, offset },
    hint: 'Run "git fsck" in the repository; another clone may have the tree in good order.',
  });
}

/** What a tree entry's mode says: 040000 folder, 120000 symlink, 160000 submodule, everything else a file. */
export function kindOfMode(mode: string): TreeEntry['kind'] {
  switch (Number.parseInt(mode, 8) & 0o170000) {
    case 0o040000:
      return 'tree';
    case 0o120000:
      return 'symlink';
    case 0o160000:
      return 'submodule';
    default:
      return 'blob';
  }
}

export function entryName(entry: RawTreeEntry): string {
  return decodeUtf8(entry.nameBytes);
}
