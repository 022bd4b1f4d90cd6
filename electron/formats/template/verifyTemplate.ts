import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import { tensorBytes } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { openRef } from '../../tensors/openRef';
import type { FileCheckpoint, FileGroup, FileLayout, Placed } from '../format';
import type { FileTemplate } from './fileTemplate';
import { layoutFromTemplate } from './layoutFromTemplate';

/** Bytes of the file that are compared at once. */
const BLOCK_BYTES = 1024 * 1024;

export interface VerifyOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a file of its template and its own groups, block by block and without writing it, and compares it with the file.
 * @param source the file from its first byte to its last.
 * @returns what differs, as a sentence; `null` when every byte is the same.
 * @throws CheckpointError cancelled, and what reading throws.
 */
export async function verifyTemplate(
  template: FileTemplate,
  { source, checkpoint }: { readonly source: ByteSource; readonly checkpoint: FileCheckpoint },
  { signal }: VerifyOptions = {},
): Promise<string | null> {
  const groups = checkpoint.groups.filter(({ data }) => !('code' in data));
  if (template.bytes !== source.length) return `The file would have ${template.bytes} bytes, but has ${source.length}.`;
  const layout = layoutFromTemplate(template, groups);
  if (layout === null) return 'The groups are not those of the layout.';
  const digests: string[] = [];
  const checksums: number[] = [];
  for (const [index, group] of groups.entries()) {
    const found = await compareGroup(source, group, { offset: layout.tensors[index] ?? null, signal });
    if (typeof found === 'string') return found;
    digests.push(found.sha256);
    checksums.push(found.crc32);
  }
  const [misfit] = layout.misfits?.(digests) ?? [];
  if (misfit !== undefined) return `${groups[misfit]?.keys.join('/')} has another value than the file holds for it.`;
  const pieces = [...layout.pieces, ...(layout.finish?.(checksums) ?? [])];
  return checkCover(layout, { pieces, groups }) ?? (await comparePieces(source, pieces, signal));
}

interface CompareOptions {
  /** Where the group is written; `null` for nowhere. */
  readonly offset: number | null;
  readonly signal: AbortSignal | undefined;
}

async function compareGroup(source: ByteSource, group: FileGroup, { offset, signal }: CompareOptions): Promise<string | { sha256: string; crc32: number }> {
  if ('code' in group.data) throw CheckpointError.fromData(group.data);
  const name = group.keys.join('/');
  const stream = await openRef(group.data, name);
  try {
    const hash = createHash('sha256');
    let checksum = 0;
    let position = offset ?? 0;
    for await (const block of stream.blocks(signal)) {
      throwIfCancelled(signal);
      if (offset !== null && !(await sameBytes(source, position, block))) return `${name} differs from the file after byte ${position}.`;
      hash.update(block);
      checksum = crc32(block, checksum);
      position += block.byteLength;
    }
    return { sha256: hash.digest('hex'), crc32: checksum };
  } finally {
    await stream.close();
  }
}

/** Every byte of the file is written once. */
function checkCover(layout: FileLayout, { pieces, groups }: { pieces: readonly Placed[]; groups: readonly FileGroup[] }): string | null {
  const written = pieces.map(({ offset, bytes }) => ({ offset, bytes: bytes.byteLength }));
  for (const [index, { dtype, shape }] of groups.entries()) {
    const offset = layout.tensors[index];
    if (typeof offset === 'number') written.push({ offset, bytes: tensorBytes(dtype, shape) });
  }
  let end = 0;
  for (const { offset, bytes } of written.filter((part) => part.bytes > 0).sort((a, b) => a.offset - b.offset)) {
    if (offset !== end) return `Bytes ${Math.min(offset, end)} to ${Math.max(offset, end)} would be written ${offset < end ? 'twice' : 'never'}.`;
    end = offset + bytes;
  }
  return end === layout.bytes ? null : `The file would end at byte ${end}, not ${layout.bytes}.`;
}

async function comparePieces(source: ByteSource, pieces: readonly Placed[], signal: AbortSignal | undefined): Promise<string | null> {
  for (const { offset, bytes } of pieces) {
    for (let done = 0; done < bytes.byteLength; done += BLOCK_BYTES) {
      throwIfCancelled(signal);
      if (!(await sameBytes(source, offset + done, bytes.subarray(done, done + BLOCK_BYTES)))) return `The file differs after byte ${offset + done}.`;
    }
  }
  return null;
}

async function sameBytes(source: ByteSource, offset: number, bytes: Uint8Array): Promise<boolean> {
  return Buffer.compare(await source.read(offset, bytes.byteLength), bytes) === 0;
}
