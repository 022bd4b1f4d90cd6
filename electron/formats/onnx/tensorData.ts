import { formatBytes } from '../../../shared/base/formatBytes';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import { dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { possibleTensorBytes, type Shape } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import type { ReadAhead } from '../../bytes/readAhead';
import type { TensorRef } from '../../tensors/tensorRef';
import type { ReadOptions } from '../format';
import { decodeTyped } from './decodeTyped';
import type { OnnxType } from './onnxTypes';
import type { TensorProto } from './readTensorProto';

/** Values outside raw_data are decoded when the file is opened; such tensors are small constants, never weights of this size. */
const MAX_DECODED_BYTES = 64 * 1024 * 1024;

export interface DataContext {
  readonly source: ByteSource;
  readonly ahead: ReadAhead;
  readonly options: ReadOptions;
  /** Bytes that decoded tensors of the file may still take. */
  readonly budget: { left: number };
}

export function newBudget(): { left: number } {
  return { left: MAX_DECODED_BYTES };
}

/**
 * Where the elements of an initializer are: in the file as they stand (raw_data, packed floats and doubles), or decoded into memory.
 * Whatever is wrong with one tensor is its own error.
 */
export async function tensorData(proto: TensorProto & { readonly shape: Shape }, type: OnnxType, context: DataContext): Promise<TensorRef | ErrorData> {
  const { options } = context;
  try {
    return await locate(proto, type, context);
  } catch (error) {
    const known = CheckpointError.from(error).at({ file: options.file, group: proto.name, offset: proto.message.offset });
    if (known.code === 'cancelled') throw known;
    return known.toData();
  }
}

async function locate(proto: TensorProto & { readonly shape: Shape }, { dtype, field }: OnnxType, context: DataContext): Promise<TensorRef> {
  const { shape } = proto;
  const inFile = (offset: number): TensorRef => ({ dtype, shape, source: context.options.ref, offset, strides: null, bigEndian: false });
  if (proto.externalLocation !== null) throw externalError(proto.externalLocation);
  if (proto.segmented) throw new CheckpointError('unsupported-format', 'The tensor is stored in segments, which are not read.');
  const needs = bytesNeeded(proto, dtype);
  const filled = [...proto.typed].filter(([, { runs, single }]) => single > 0 || runs.some(({ length }) => length > 0));
  if (proto.raw !== null && filled.length > 0) throw new CheckpointError('malformed', 'The tensor holds its values twice, in raw_data and in another field.');
  if (proto.raw !== null) {
    if (proto.raw.length !== needs) throw sizeError(`raw_data has ${proto.raw.length} bytes`, needs, shape);
    return inFile(proto.raw.offset);
  }
  if (needs === 0 && filled.length === 0) return inFile(0);
  const [first] = filled;
  if (first === undefined) throw sizeError('it has no values', needs, shape);
  if (filled.length > 1 || first[0] !== field)
    throw new CheckpointError('malformed', `The tensor's values stand in ${filled.map(([name]) => name).join(' and ')}, not in ${field}.`);
  const { runs, single } = first[1];
  const [run] = runs;
  if ((field === 'float_data' || field === 'double_data') && single === 0 && runs.length === 1 && run !== undefined) {
    if (run.length !== needs) throw sizeError(`${field} has ${run.length} bytes`, needs, shape);
    return inFile(run.offset);
  }
  if (needs > context.budget.left) {
    throw new CheckpointError(
      'too-large',
      `The tensor's values stand in ${field} one by one; up to ${formatBytes(MAX_DECODED_BYTES)} of such values are read.`,
    );
  }
  const bytes = await decodeTyped(context, proto, { field, bytes: needs, width: valueWidth(dtypeBytes(dtype), dtypeKind(dtype) === 'complex') });
  context.budget.left -= needs;
  return { ...inFile(0), source: { kind: 'memory', bytes } };
}

/** Bytes of one stored value: complex numbers are stored as two. */
function valueWidth(elementBytes: number, complex: boolean): number {
  return complex ? elementBytes / 2 : elementBytes;
}

function bytesNeeded({ shape }: { readonly shape: Shape }, dtype: OnnxType['dtype']): number {
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

function externalError(location: string): CheckpointError {
  const file = location.length > 200 ? `${location.slice(0, 199)}…` : location;
  return new CheckpointError(
    'unsupported-format',
    `The tensor's values lie outside the model, in the file ${JSON.stringify(file)}, and such values are not read.`,
    {
      hint: 'Save the model with its data inside (onnx.save with save_as_external_data=False).',
    },
  );
}
