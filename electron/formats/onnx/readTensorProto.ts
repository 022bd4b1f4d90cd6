import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { Shape } from '../../../shared/model/shape';
import type { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, type ScalarField, scanFields } from '../../encodings/protobuf/scanFields';
import { parseVarint } from '../../encodings/protobuf/wireField';
import { TYPED_FIELDS, type TypedField } from './onnxTypes';
import { readText } from './readText';

/** Real tensors have some few; a list that long could only be hostile. */
const MAX_AXES = 1024;

/** A TensorProto without its values. */
export interface TensorProto {
  readonly name: string;
  /** The message itself, for values that must be gathered from it. */
  readonly message: MessageRange;
  readonly typeCode: number;
  /** `null` when a dimension cannot be one. */
  readonly shape: Shape | null;
  readonly raw: MessageRange | null;
  readonly typed: ReadonlyMap<TypedField, TypedValues>;
  /** `location` of external data; `null` when the values are inside. */
  readonly externalLocation: string | null;
  readonly segmented: boolean;
}

export interface TypedValues {
  /** Packed runs of values. */
  readonly runs: readonly MessageRange[];
  /** Values that stand by themselves. */
  readonly single: number;
}

/** Fields 1 to 14 of TensorProto in onnx.proto. @throws CheckpointError malformed, truncated, too-large */
export async function readTensorProto(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<TensorProto> {
  const dims: bigint[] = [];
  const typed = new Map<TypedField, { runs: MessageRange[]; single: number }>();
  let name = '';
  let typeCode = 0;
  let raw: MessageRange | null = null;
  let external = false;
  let segmented = false;
  let location = '';
  for await (const field of scanFields(ahead, message, place)) {
    const typedField = TYPED_FIELDS.get(field.number);
    if (typedField !== undefined) {
      const values = typed.get(typedField) ?? { runs: [], single: 0 };
      typed.set(typedField, values);
      if (field.kind === 'bytes') values.runs.push({ offset: field.offset, length: field.length });
      else values.single++;
    } else if (field.number === 1) await addDims(ahead, field, { dims, place });
    else if (field.number === 2 && field.kind === 'varint') typeCode = Number(BigInt.asIntN(32, field.value));
    else if (field.number === 3) segmented = true;
    else if (field.number === 8 && field.kind === 'bytes') name = await readText(ahead, field, place);
    else if (field.number === 9 && field.kind === 'bytes') raw = { offset: field.offset, length: field.length };
    else if (field.number === 13 && field.kind === 'bytes') location = (await readLocation(ahead, field, place)) ?? location;
    else if (field.number === 14 && field.kind === 'varint') external = field.value === 1n;
  }
  const shape = dims.map((dim) => Number(BigInt.asIntN(64, dim)));
  return {
    name,
    message,
    typeCode,
    shape: shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0) ? shape : null,
    raw,
    typed,
    externalLocation: external ? location : null,
    segmented,
  };
}

async function addDims(ahead: ReadAhead, field: ScalarField, { dims, place }: { dims: bigint[]; place: ErrorPlace }): Promise<void> {
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

function tooManyAxes(place: ErrorPlace, offset: number): CheckpointError {
  return new CheckpointError('too-large', `A tensor has more than ${MAX_AXES} axes.`, { place: { ...place, offset } });
}

/** The value of a StringStringEntryProto with the key `location`. */
async function readLocation(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<string | null> {
  let key = '';
  let value = '';
  for await (const field of scanFields(ahead, message, place)) {
    if (field.kind !== 'bytes') continue;
    if (field.number === 1) key = await readText(ahead, field, place);
    else if (field.number === 2) value = await readText(ahead, field, place);
  }
  return key === 'location' ? value : null;
}
