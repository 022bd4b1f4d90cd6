import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry, SkippedEntry } from '../../../shared/model/checkpoint';
import type { Shape } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { isJsonObject, type JsonValue } from '../../encodings/json/parseJson';
import { checkCancelled } from '../../tensors/checkCancelled';
import type { FileCheckpoint, FileGroup, ReadOptions } from '../format';
import { checkSpans } from './checkSpans';
import { parseEntry, type SafetensorsEntry } from './parseEntry';
import { readHeader } from './safetensorsHeader';

const METADATA = '__metadata__';

/**
 * Reads the header alone. As strict as the reference implementation: names once, offsets inside the file, spans that are exactly
 * elements × size, no hole and no overlap, except that several names may share one whole span (tied tensors).
 * Groups come in the order of the header.
 */
export async function readSafetensors(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const { file, ref, signal } = options;
  checkCancelled(signal);
  const { entries, dataOffset } = await readHeader(source, file);
  checkCancelled(signal);
  const parsed: SafetensorsEntry[] = [];
  let metadata: readonly MetadataEntry[] = [];
  for (const [name, value] of entries) {
    if (name === METADATA) metadata = parseMetadata(value, file);
    else parsed.push(parseEntry(name, value, file));
  }
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

function parseMetadata(value: JsonValue, file: string): MetadataEntry[] {
  // The reference takes null for absent.
  if (value === null) return [];
  if (!isJsonObject(value)) throw new CheckpointError('malformed', `${METADATA} is no JSON object.`, { place: { file } });
  const result: MetadataEntry[] = [];
  for (const [key, text] of value) {
    if (typeof text !== 'string')
      throw new CheckpointError('malformed', `${METADATA} has the key ${JSON.stringify(key)}, whose value is no text.`, { place: { file } });
    result.push({ key, value: text });
  }
  return result;
}

function describePacked(name: string, shape: Shape): string {
  return `A tensor [${shape.join(', ')}] of type ${name}, several elements to a byte, which is not read.`;
}
