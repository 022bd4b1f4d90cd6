import { createHash } from 'node:crypto';
import { CheckpointError } from '../../../shared/contract/errors';
import { memorySource } from '../../bytes/memorySource';
import { openRef } from '../../tensors/openRef';
import type { CheckpointFormat, FileCheckpoint, FileGroup } from '../format';

/** For tests: a checkpoint that is in memory, read by one format. */
export function readMemory(format: CheckpointFormat, bytes: Uint8Array, file = 'test'): Promise<FileCheckpoint> {
  return format.read(memorySource(bytes, file), { ref: { kind: 'memory', bytes }, file });
}

/** For tests: the raw bytes of a group. */
export async function groupBytes(group: FileGroup): Promise<Buffer> {
  if ('code' in group.data) throw CheckpointError.fromData(group.data);
  const stream = await openRef(group.data, group.keys.join('/'));
  try {
    const parts: Buffer[] = [];
    for await (const block of stream.blocks()) parts.push(Buffer.from(block));
    return Buffer.concat(parts);
  } finally {
    await stream.close();
  }
}

export async function groupDigest(group: FileGroup): Promise<string> {
  return createHash('sha256')
    .update(await groupBytes(group))
    .digest('hex');
}
