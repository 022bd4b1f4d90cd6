import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { possibleTensorBytes, type Shape } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import type { ReadAhead } from '../../bytes/readAhead';
import type { TensorRef } from '../../tensors/tensorRef';
import type { ReadOptions, SiblingFile } from '../format';
import { countVarints, decodeTyped, type NumberField } from './decodeTyped';
import { locateExternal } from './externalData';
import { type OnnxType, TYPED_FIELDS, type TypedField } from './onnxTypes';
import type { TensorProto } from './readTensorProto';
import { isEmpty, type RepeatedValues } from './values';

/** Values outside raw_data are decoded when the file is opened; such tensors are small constants, never weights of this size. */
const MAX_DECODED_BYTES = 64 * 1024 * 1024;
/** Bytes of an entry of int32_data. */
const ENTRY_BYTES = 4;

export interface DataContext {
  readonly source: ByteSource;
  readonly ahead: ReadAhead;
  readonly options: ReadOptions;
  /** Bytes that decoded tensors of the file may still take. */
  readonly budget: { left: number };
  readonly find: (location: string) => Promise<SiblingFile>;
}

export interface TensorType {
  readonly type: OnnxType;
  /** Elements of the tensor, where several share a byte: its shape is that of the bytes then. `null`: the shape is its own. */
  readonly elements: number | null;
}

type ShapedProto = TensorProto & { readonly shape: Shape };

export function newBudget(): { left: number } {
  return { left: MAX_DECODED_BYTES };
}

/** @throws CheckpointError too-large */
export function takeFromBudget({ budget }: DataContext, bytes: number, field: string): void {
  if (bytes > budget.left) {
    throw new CheckpointError(
      'too-large',
      `The tensor's values stand in ${field} one by one; up to ${formatBytes(MAX_DECODED_BYTES)} of such values are read.`,
    );
  }
  budget.left -= bytes;
}

/** What the refs of all values in the file itself have in common; the offset is still to be said. */
export function inModel({ options }: DataContext, dtype: DType, shape: Shape): TensorRef {
  return { dtype, shape, source: options.ref, offset: 0, strides: null, bigEndian: false };
}

/** An error as that of one tensor. @throws CheckpointError cancelled */
export function atTensor(
  error: unknown,
  { name, offset, context }: { readonly name: string; readonly offset?: number; readonly context: DataContext },
): ErrorData {
  const place = { file: context.options.file, group: name, ...(offset === undefined ? {} : { offset }) };
  const known = CheckpointError.from(error).at(place);
  if (known.code === 'cancelled') throw known;
  return known.toData();
}

/**
 * Where the elements of a tensor are: in the file as they stand (raw_data, packed floats and doubles), in another file, or decoded into memory.
 * Whatever is wrong with one tensor is its own error.
 */
export async function tensorData(proto: ShapedProto, type: TensorType, context: DataContext): Promise<TensorRef | ErrorData> {
  try {
    return await locate(proto, type, context);
  } catch (error) {
    return atTensor(error, { name: proto.name, offset: proto.message.offset, context });
  }
}

async function locate(proto: ShapedProto, tensor: TensorType, context: DataContext): Promise<TensorRef> {
  const { shape, raw, external } = proto;
  const { dtype } = tensor.type;
  const ref = inModel(context, dtype, shape);
  if (proto.segmented) throw new CheckpointError('unsupported-format', 'The tensor is stored in segments, which are not read.');
  const needs = bytesNeeded(shape, dtype);
  const filled = [...proto.typed].filter(([, values]) => !isEmpty(values));
  if (external !== null) {
    if (filled.length > 0 || (raw !== null && raw.length > 0))
      throw new CheckpointError('malformed', `The tensor has values inside the model and others in the file ${JSON.stringify(external.location)}.`);
    const { file, offset } = await locateExternal(external, needs, context.find);
    return { ...ref, source: file.ref, offset };
  }
  if (raw !== null && filled.length > 0) throw new CheckpointError('malformed', 'The tensor holds its values twice, in raw_data and in another field.');
  if (raw !== null) {
    if (raw.length !== needs) throw sizeError(`raw_data has ${raw.length} bytes`, needs, shape);
    return { ...ref, offset: raw.offset };
  }
  if (needs === 0 && filled.length === 0) return ref;
  const [first] = filled;
  if (first === undefined) throw sizeError('it has no values', needs, shape);
  if (filled.length > 1 || first[0] !== tensor.type.field)
    throw new CheckpointError('malformed', `The tensor's values stand in ${filled.map(([name]) => name).join(' and ')}, not in ${tensor.type.field}.`);
  const [field, values] = first;
  const [run] = values.runs;
  if ((field === 'float_data' || field === 'double_data') && values.single === 0 && values.runs.length === 1 && run !== undefined) {
    if (run.length !== needs) throw sizeError(`${field} has ${run.length} bytes`, needs, shape);
    return { ...ref, offset: run.offset };
  }
  takeFromBudget(context, needs, field);
  return { ...ref, source: { kind: 'memory', bytes: await decode(proto, { tensor, values, needs }, context) } };
}

interface Decoding {
  readonly tensor: TensorType;
  readonly values: RepeatedValues;
  /** Bytes of the tensor. */
  readonly needs: number;
}

async function decode(proto: ShapedProto, { tensor, values, needs }: Decoding, context: DataContext): Promise<Uint8Array> {
  const { type, elements } = tensor;
  const field = numberField(proto, type.field);
  const needed = `its shape [${proto.shape.join(', ')}] needs`;
  if (elements === null) {
    const width = dtypeKind(type.dtype) === 'complex' ? dtypeBytes(type.dtype) / 2 : dtypeBytes(type.dtype);
    return decodeTyped(context, field, { bytes: needs, width, needed });
  }
  // onnx.proto puts one byte into an entry, and onnx.checker counts four: both are written, and the number of entries tells.
  const entries = Math.ceil(needs / ENTRY_BYTES);
  const count = await countVarints(context.source, values, needs * 10);
  if (count === entries && entries < needs) {
    const filled = await decodeTyped(context, field, { bytes: entries * ENTRY_BYTES, width: ENTRY_BYTES, needed });
    return filled.subarray(0, needs);
  }
  return decodeTyped(context, field, { bytes: needs, width: 1, needed: `the ${elements} elements need, packed ${type.perByte} to a byte` });
}

function numberField({ message }: TensorProto, name: TypedField): NumberField {
  const number = [...TYPED_FIELDS].find(([, field]) => field === name)?.[0] ?? 0;
  return { message, number, name, varints: name !== 'float_data' && name !== 'double_data' };
}

function bytesNeeded(shape: Shape, dtype: DType): number {
  const bytes = possibleTensorBytes(dtype, shape);
  if (bytes === null) throw new CheckpointError('malformed', `The tensor's shape [${shape.join(', ')}] has more bytes than any file.`);
  return bytes;
}

function sizeError(what: string, needs: number, shape: Shape): CheckpointError {
  return new CheckpointError(
    'malformed',
    `The tensor's ${what === 'it has no values' ? 'values are missing' : what}, but its shape [${shape.join(', ')}] needs ${needs} bytes.`,
  );
}
