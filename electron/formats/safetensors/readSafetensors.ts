import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { SkippedEntry } from '../../../shared/model/checkpoint';
import type { Shape } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import type { FileCheckpoint, FileGroup, ReadOptions } from '../format';
import { checkSpans } from './checkSpans';
import { checkEntry } from './parseEntry';
import { readHeader } from './safetensorsHeader';

/**
 * Reads the header alone. As strict as the reference implementation: names once, offsets inside the file, spans that are exactly
 * elements × size, no hole and no overlap, except that several names may share one whole span (tied tensors).
 * Groups come in the order of the header.
 */
export async function readSafetensors(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const { file, ref, signal } = options;
  throwIfCancelled(signal);
  const { tensors, metadata, dataOffset } = await readHeader(source, file);
  throwIfCancelled(signal);
  const parsed = [...tensors].map(([name, declaration]) => checkEntry(name, declaration, file));
  const ties = checkSpans(parsed, { file, dataOffset, dataBytes: source.length - dataOffset });
  const groups: FileGroup[] = [];
  const skipped: SkippedEntry[] = [];
  for (const { name, type, shape, begin } of parsed) {
    if (type.dtype === null) {
      skipped.push({ name, reason: describePacked(type.name, shape) });
      continue;
    }
    const { dtype } = type;
    const data = { dtype, shape, source: ref, offset: dataOffset + begin, strides: null, bigEndian: false };
    groups.push({ keys: [name], dtype, shape, data, tiedTo: ties.get(name) ?? null });
  }
  return { format: 'safetensors', groups, skipped, metadata };
}

function describePacked(name: string, shape: Shape): string {
  return `A tensor [${shape.join(', ')}] of type ${name}, several elements to a byte, which is not read.`;
}
