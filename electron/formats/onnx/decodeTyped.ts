import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import type { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, scanFields } from '../../encodings/protobuf/scanFields';
import { parseVarint } from '../../encodings/protobuf/wireField';
import type { RepeatedValues } from './values';

/** A repeated field of numbers. */
export interface NumberField {
  /** Message that holds it. */
  readonly message: MessageRange;
  readonly number: number;
  /** As error messages call it. */
  readonly name: string;
  readonly varints: boolean;
}

export interface TypedTarget {
  /** Bytes of the contiguous tensor. */
  readonly bytes: number;
  /** Bytes of one value in it. */
  readonly width: number;
  /** What the values are counted against, as the end of a sentence. */
  readonly needed: string;
}

interface Context {
  readonly source: ByteSource;
  readonly ahead: ReadAhead;
}

/**
 * The values of one repeated field as contiguous little-endian elements. Integers stand as varints, whatever their width: their lowest
 * bytes are the element (so a negative number for an unsigned type means its bits); float16 and bfloat16 stand as their bits in int32_data.
 * @throws CheckpointError malformed when there are more or fewer values than the shape needs.
 */
export async function decodeTyped({ source, ahead }: Context, field: NumberField, { bytes, width, needed }: TypedTarget): Promise<Uint8Array> {
  const { varints, message } = field;
  const countError = () => new CheckpointError('malformed', `The tensor has another number of values in ${field.name} than ${needed}.`);
  // Every value takes a byte at least, so a shape alone cannot make us allocate.
  const least = varints ? bytes / width : bytes;
  if (least > message.length) throw countError();
  const output = Buffer.alloc(bytes);
  let position = 0;
  const put = (value: bigint, size: number) => {
    if (position + size > bytes) throw countError();
    writeLow(output, position, { value, size });
    position += size;
  };
  const putRun = async (run: MessageRange) => {
    // A varint has at most ten bytes: a run that is longer than all that is missing is refused before it is read.
    const most = varints ? ((bytes - position) / width) * 10 : bytes - position;
    if (run.length > most) throw countError();
    const content = await source.read(run.offset, run.length);
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
  for await (const found of scanFields(ahead, message, {})) {
    if (found.number !== field.number) continue;
    if (found.kind === 'varint') put(found.value, width);
    else if (found.kind === 'bytes') await putRun(found);
    else await putRun({ offset: found.offset, length: found.kind === 'fixed32' ? 4 : 8 });
  }
  if (position !== bytes) throw countError();
  return output;
}

/** How many varints a repeated field has. @param most bytes of runs that are read @throws CheckpointError too-large */
export async function countVarints(source: ByteSource, { runs, single }: RepeatedValues, most: number): Promise<number> {
  let count = single;
  let read = 0;
  for (const { offset, length } of runs) {
    read += length;
    if (read > most) throw new CheckpointError('too-large', `The tensor has more than ${most} bytes of values that stand one by one, which are not read.`);
    // Only the last byte of a varint has no mark that more follow.
    for (const byte of await source.read(offset, length)) if (byte < 0x80) count++;
  }
  return count;
}

function writeLow(output: Buffer, position: number, { value, size }: { value: bigint; size: number }): void {
  if (size === 8) output.writeBigUInt64LE(value, position);
  else output.writeUIntLE(Number(BigInt.asUintN(8 * size, value)), position, size);
}
