import type { GraphInitializer, TensorPlace } from '../../../shared/model/graph';
import type { OnnxTensor } from '../model/onnxModel';
import { countOf, elementType, elementTypeName, rawBytes, STRING } from '../values/elementTypes';
import type { StoredValue } from './collectValues';

/** What an initializer of the view says of itself, without where it is used. */
export function describeStored(stored: StoredValue): Pick<GraphInitializer, 'type' | 'shape' | 'bytes' | 'place' | 'problem'> & { readonly code: number } {
  const { tensor, sparse, constant } = stored;
  if (tensor === null && constant !== null) return plainConstant(stored);
  if (tensor === null) return { type: 'type 0', code: 0, shape: sparse?.dims ?? [], bytes: 0, place: 'sparse', problem: 'It has no values.' };
  const type = elementTypeName(tensor.type);
  if (sparse !== null) {
    const bytes = storedBytes(tensor) + (sparse.indices === null ? 0 : storedBytes(sparse.indices));
    const problem = shapeProblem(sparse.dims) ?? (sparse.indices === null ? 'It has values but no indices.' : dataProblem(tensor));
    return { type, code: tensor.type, shape: sparse.dims, bytes, place: 'sparse', problem };
  }
  const place = constant !== null ? 'constant' : placeOf(tensor);
  return { type, code: tensor.type, shape: tensor.dims, bytes: storedBytes(tensor), place, problem: shapeProblem(tensor.dims) ?? dataProblem(tensor) };
}

function placeOf({ external, typed, raw }: OnnxTensor): TensorPlace {
  if (external !== null) return 'external';
  return typed.length > 0 && raw === null ? 'typed' : 'raw';
}

/** Bytes of the values as raw_data has them, or would have them; what lies in the file where the type has no size. */
function storedBytes(tensor: OnnxTensor): number {
  const { raw, external, typed } = tensor;
  if (external !== null) {
    const bytes = external.length ?? rawBytes(tensor.type, tensor.dims) ?? 0;
    return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : 0;
  }
  if (raw !== null) return raw.length;
  return rawBytes(tensor.type, tensor.dims) ?? typed.reduce((sum, { start, end }) => sum + end - start, 0);
}

function plainConstant({ constant }: StoredValue): ReturnType<typeof describeStored> {
  const common = { place: 'constant', problem: null } as const;
  switch (constant?.name) {
    case 'value_float':
      return { type: 'float', code: 1, shape: [], bytes: 4, ...common };
    case 'value_floats':
      return { type: 'float', code: 1, shape: [constant.floats.length], bytes: 4 * constant.floats.length, ...common };
    case 'value_int':
      return { type: 'int64', code: 7, shape: [], bytes: 8, ...common };
    case 'value_ints':
      return { type: 'int64', code: 7, shape: [constant.ints.length], bytes: 8 * constant.ints.length, ...common };
    case 'value_string':
      return { type: 'string', code: STRING, shape: [], bytes: constant.string?.length ?? 0, ...common };
    case 'value_strings':
      return {
        type: 'string',
        code: STRING,
        shape: [constant.strings.length],
        bytes: constant.strings.reduce((sum, { length }) => sum + length, 0),
        ...common,
      };
    default:
      return { type: 'type 0', code: 0, shape: [], bytes: 0, place: 'constant', problem: 'The constant has no value that this program knows.' };
  }
}

function shapeProblem(dims: readonly number[]): string | null {
  return countOf(dims) === null ? `No tensor can have the shape [${dims.join(', ')}].` : null;
}

/** What is wrong with where and how the values are stored, by the rules of TensorProto in onnx.proto. */
function dataProblem(tensor: OnnxTensor): string | null {
  const { type, dims, raw, typed, external, segmented } = tensor;
  const name = elementTypeName(type);
  if (segmented) return 'It is stored in segments, which ONNX does not define further.';
  if (external !== null) return externalProblem(tensor);
  if (type === 0) return 'It does not say which type its elements have.';
  const count = countOf(dims) ?? 0;
  if (raw !== null && typed.length > 0) return 'Its values are stored twice, as raw data and in a typed field.';
  if (raw !== null && type === STRING) return 'Texts cannot be stored as raw data.';
  if (elementType(type) === null) return `This program does not know type ${type}; its ${storedBytes(tensor)} bytes are kept as they are.`;
  if (raw === null && typed.length === 0) return count === 0 ? null : `Its shape has ${count} elements, but no values are stored.`;
  const needed = raw === null ? null : rawBytes(type, dims);
  if (raw !== null && needed !== null && raw.length !== needed)
    return `The shape [${dims.join(', ')}] of ${name} needs ${needed} bytes, but ${raw.length} are stored.`;
  return null;
}

function externalProblem({ type, dims, external }: OnnxTensor): string | null {
  if (external === null) return null;
  const { location, offset, length } = external;
  if (location === '') return 'Its values lie in another file, but it does not say in which.';
  if (offset !== null && !(Number.isSafeInteger(offset) && offset >= 0)) return `Its values lie in ${location} at an impossible place: offset ${offset}.`;
  if (length !== null && !(Number.isSafeInteger(length) && length >= 0)) return `Its values lie in ${location} with an impossible length: ${length}.`;
  if (type === STRING) return 'Texts cannot be stored in another file.';
  if (elementType(type) === null) return `This program does not know type ${type}; its data in ${location} is kept as it is.`;
  const needed = rawBytes(type, dims);
  if (needed !== null && length !== null && length !== needed)
    return `The shape [${dims.join(', ')}] of ${elementTypeName(type)} needs ${needed} bytes, but ${length} are given in ${location}.`;
  return null;
}
