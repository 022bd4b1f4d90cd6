import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import { tensorBytes } from '../../../shared/model/shape';
import type { FileLayout, GroupToWrite } from '../format';
import { joinKeys } from '../joinKeys';
import { METADATA } from './parseHeader';
import { nameOf } from './safetensorsDtypes';
import { MAX_HEADER_BYTES, PREFIX_BYTES } from './safetensorsHeader';

/**
 * A safetensors file: header padded with spaces to 8 bytes as the reference does, tensors in the order given. (The reference sorts
 * them by size of element when it writes, but reads any order.)
 * @throws CheckpointError unsupported-format, too-large
 */
export function layoutSafetensors(groups: readonly GroupToWrite[], metadata: readonly MetadataEntry[]): FileLayout {
  const { names, nested } = joinKeys(groups, 'safetensors');
  const notes: string[] = [];
  if (nested) notes.push('safetensors has no nested keys: they were joined by "/" to one name.');
  const members: string[] = [];
  const pairs = new Map(metadata.map(({ key, value }) => [key, value]));
  if (pairs.size < metadata.length) notes.push('Of metadata entries with the same key only the last was kept.');
  if (pairs.size > 0) members.push(`"${METADATA}":{${[...pairs].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`);
  const begins: number[] = [];
  let end = 0;
  for (const [index, { dtype, shape }] of groups.entries()) {
    const name = names[index] ?? '';
    const type = nameOf(dtype);
    if (type === undefined) throw new CheckpointError('unsupported-format', `safetensors cannot hold the type ${dtype}.`, { place: { group: name } });
    if (name === METADATA) throw new CheckpointError('unsupported-format', 'safetensors cannot hold a tensor named __metadata__.', { place: { group: name } });
    const begin = end;
    end += tensorBytes(dtype, shape);
    if (!Number.isSafeInteger(end)) throw new CheckpointError('too-large', 'The file would have more than 2^53 bytes.', { place: { group: name } });
    begins.push(begin);
    members.push(`${JSON.stringify(name)}:{"dtype":"${type}","shape":[${shape.join(',')}],"data_offsets":[${begin},${end}]}`);
  }
  const header = encodeHeader(`{${members.join(',')}}`);
  return {
    bytes: header.byteLength + end,
    pieces: [{ offset: 0, bytes: header }],
    tensors: begins.map((begin) => header.byteLength + begin),
    finish: null,
    notes,
  };
}

function encodeHeader(json: string): Uint8Array {
  const text = Buffer.byteLength(json);
  const length = Math.ceil(text / 8) * 8;
  if (length > MAX_HEADER_BYTES) {
    throw new CheckpointError(
      'too-large',
      `The header would have ${formatBytes(length)}, but readers of safetensors take at most ${formatBytes(MAX_HEADER_BYTES)}.`,
    );
  }
  const header = Buffer.alloc(PREFIX_BYTES + length, ' ');
  header.writeBigUInt64LE(BigInt(length), 0);
  header.write(json, PREFIX_BYTES);
  return header;
}
