import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { Shape } from '../../../shared/model/shape';
import type { ReadAhead } from '../../bytes/readAhead';
import type { MessageRange, ScalarField } from '../../encodings/protobuf/scanFields';
import { parseVarint } from '../../encodings/protobuf/wireField';
import { type ExternalData, readExternalData } from './externalData';
import { TYPED_FIELDS, type TypedField } from './onnxTypes';
import { readText } from './readText';
import { addValue, type CollectedValues, type RepeatedValues } from './values';
import { visitFields } from './visitFields';

/** Real tensors have some few; a list that long could only be hostile. */
const MAX_AXES = 1024;
/** Entries of external_data; there are six keys. */
const MAX_ENTRIES = 100;

const nothing = null as MessageRange | null;

/** A TensorProto without its values. */
export interface TensorProto {
  readonly name: string;
  /** The message itself, for values that must be gathered from it. */
  readonly message: MessageRange;
  readonly typeCode: number;
  /** `null` when a dimension cannot be one. */
  readonly shape: Shape | null;
  readonly raw: MessageRange | null;
  readonly typed: ReadonlyMap<TypedField, RepeatedValues>;
  /** Bytes of string_data. */
  readonly stringBytes: number;
  /** `null` when the values are inside. */
  readonly external: ExternalData | null;
  readonly segmented: boolean;
}

/** Fields 1 to 14 of TensorProto in onnx.proto. @throws CheckpointError malformed, truncated, too-large */
export async function readTensorProto(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<TensorProto> {
  const dims: ScalarField[] = [];
  const typed = new Map<TypedField, CollectedValues>();
  const entries: MessageRange[] = [];
  const found = { name: nothing, raw: nothing, typeCode: 0, stringBytes: 0, external: false, segmented: false };
  const visit = (field: ScalarField) => {
    const typedField = TYPED_FIELDS.get(field.number);
    if (typedField !== undefined) {
      const values = typed.get(typedField) ?? { runs: [], single: 0 };
      typed.set(typedField, values);
      addValue(values, field);
    } else if (field.number === 1) {
      if (dims.push(field) > MAX_AXES) throw tooManyAxes(place, field.next);
    } else if (field.number === 2 && field.kind === 'varint') found.typeCode = Number(BigInt.asIntN(32, field.value));
    else if (field.number === 3) found.segmented = true;
    else if (field.number === 14 && field.kind === 'varint') found.external = field.value === 1n;
    else if (field.kind !== 'bytes') return;
    else if (field.number === 6) found.stringBytes += field.length;
    else if (field.number === 8) found.name = field;
    else if (field.number === 9) found.raw = { offset: field.offset, length: field.length };
    else if (field.number === 13 && entries.push(field) > MAX_ENTRIES)
      throw new CheckpointError('too-large', `A tensor has more than ${MAX_ENTRIES} entries of external data.`, { place: { ...place, offset: field.offset } });
  };
  await visitFields(ahead, message, { place, visit });
  return {
    ...found,
    name: found.name === null ? '' : await readText(ahead, found.name, place),
    message,
    shape: await readShape(ahead, dims, place),
    typed,
    external: found.external ? await readExternalData(ahead, entries, place) : null,
  };
}

/** Extents of repeated int64, packed or not; `null` when one cannot be an extent. @throws CheckpointError too-large, malformed */
export async function readShape(ahead: ReadAhead, fields: readonly ScalarField[], place: ErrorPlace): Promise<Shape | null> {
  const dims: bigint[] = [];
  for (const field of fields) {
    if (field.kind === 'varint') dims.push(field.value);
    else if (field.kind === 'bytes') {
      if (field.length > MAX_AXES * 10) throw tooManyAxes(place, field.offset);
      const bytes = (ahead.peek(field.offset, field.length) ?? (await ahead.load(field.offset, field.length))).subarray(0, field.length);
      for (let at = 0; at < bytes.byteLength; ) {
        const { value, next } = parseVarint(bytes, at, { ...place, offset: field.offset + at });
        dims.push(value);
        at = next;
      }
    }
    if (dims.length > MAX_AXES) throw tooManyAxes(place, field.next);
  }
  const shape = dims.map((dim) => Number(BigInt.asIntN(64, dim)));
  return shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0) ? shape : null;
}

/** Bytes of the file that are the tensor's values, in whatever field; where some stand one by one, those of all that is said of it. */
export function storedBytes({ raw, typed, stringBytes, message }: TensorProto): number {
  let bytes = (raw?.length ?? 0) + stringBytes;
  for (const { runs, single } of typed.values()) {
    if (single > 0) return message.length;
    for (const { length } of runs) bytes += length;
  }
  return bytes;
}

function tooManyAxes(place: ErrorPlace, offset: number): CheckpointError {
  return new CheckpointError('too-large', `A tensor has more than ${MAX_AXES} axes.`, { place: { ...place, offset } });
}
