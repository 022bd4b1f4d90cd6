import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import type { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, scanFields } from '../../encodings/protobuf/scanFields';
import { parseVarint } from '../../encodings/protobuf/wireField';
import { TYPED_FIELDS, type TypedField } from './onnxTypes';
import type { TensorProto } from './readTensorProto';

export interface TypedTarget {
  readonly field: TypedField;
  /** Bytes of the contiguous tensor. */
  readonly bytes: number;
  /** Bytes of one value in it. */
  readonly width: number;
}

/**
 * The values of one typed field as contiguous little-endian elements. Integers stand as varints, whatever their width: their lowest
 * bytes are the element (so a negative number for an unsigned type means its bits); float16 and bfloat16 stand as their bits in int32_data.
 * @throws CheckpointError malformed when there are more or fewer values than the shape needs.
 */
export async function decodeTyped(
  context: { readonly source: ByteSource; readonly ahead: ReadAhead },
  proto: TensorProto,
  target: TypedTarget,
): Promise<Uint8Array> {
  const { field, bytes, width } = target;
  const varints = field !== 'float_data' && field !== 'double_data';
  // Every value takes a byte at least, so a shape alone cannot make us allocate.
  const least = varints ? bytes / width : bytes;
  if (least > proto.message.length) throw countError(proto, field);
  const output = Buffer.alloc(bytes);
  let position = 0;
  const put = (value: bigint, size: number) => {
    if (position + size > bytes) throw countError(proto, field);
    writeLow(output, position, { value, size });
    position += size;
  };
  const putRun = async (run: MessageRange) => {
    // A varint has at most ten bytes: a run that is longer than all that is missing is refused before it is read.
    const most = varints ? ((bytes - position) / width) * 10 : bytes - position;
    if (run.length > most) throw countError(proto, field);
    const content = await context.source.read(run.offset, run.length);
    if (!varints) {
      output.set(content, position);
      position += content.byteLength;
      return;
    }
    for (let at = 0; at < content.byteLength; ) {
      const { value, next } = parseVarint(content, at, { offset: run.offset + at });
      put(value, width);
      at = next;
    }
  };
  for await (const found of scanFields(context.ahead, proto.message, { group: proto.name })) {
    if (TYPED_FIELDS.get(found.number) !== field) continue;
    if (found.kind === 'varint') put(found.value, width);
    else if (found.kind === 'bytes') await putRun(found);
    else await putRun({ offset: found.offset, length: found.kind === 'fixed32' ? 4 : 8 });
  }
  if (position !== bytes) throw countError(proto, field);
  return output;
}

function writeLow(output: Buffer, position: number, { value, size }: { value: bigint; size: number }): void {
  if (size === 8) output.writeBigUInt64LE(value, position);
  else output.writeUIntLE(Number(BigInt.asUintN(8 * size, value)), position, size);
}

function countError(proto: TensorProto, field: TypedField): CheckpointError {
  return new CheckpointError('malformed', `The tensor has another number of values in ${field} than its shape [${proto.shape?.join(', ')}] needs.`);
}
