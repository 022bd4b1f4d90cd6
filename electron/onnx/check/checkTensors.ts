import type { FieldSite } from '../../encodings/protobuf/frame';
import { allTensors, type PlacedTensor } from '../edits/allTensors';
import { placeInGraph, placeOfNode, shownName } from '../edits/places';
import type { OnnxTensor } from '../model/onnxModel';
import { countOf, elementType, elementTypeName, rawBytes, STRING, typeAndShape } from '../values/elementTypes';
import type { CheckContext } from './checkContext';

/** Fields of TensorProto that hold values, by number. */
const FIELD_NAMES: ReadonlyMap<number, string> = new Map([
  [4, 'float_data'],
  [5, 'int32_data'],
  [6, 'string_data'],
  [7, 'int64_data'],
  [9, 'raw_data'],
  [10, 'double_data'],
  [11, 'uint64_data'],
]);

/** The typed field of each type that does not use int32_data. */
const TYPED_FIELD: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [14, 4],
  [7, 7],
  [STRING, 6],
  [11, 10],
  [15, 10],
  [12, 11],
  [13, 11],
]);
const INT32_DATA = 5;

/** Every stored value has one data field, of the right kind and length (TensorProto in onnx.proto). */
export function checkTensors(context: CheckContext): void {
  for (const placed of allTensors(context.model)) {
    const problem = problemOf(placed.tensor);
    if (problem === null) continue;
    const { owner, node } = placed;
    if (problem.isWarning) context.warn('tensor-data', `${nameOf(placed)} ${problem.words}.`, { owner, node });
    else context.error('tensor-data', `${nameOf(placed)} ${problem.words}.`, { owner, node });
  }
}

function nameOf({ tensor, owner, node }: PlacedTensor): string {
  const name = tensor.name === '' ? 'A tensor without a name' : shownName(tensor.name);
  return placeInGraph(node === null ? name : `${name} in ${placeOfNode(node)}`, owner);
}

interface Problem {
  readonly words: string;
  readonly isWarning?: boolean;
}

function problemOf(tensor: OnnxTensor): Problem | null {
  const { type, dims, external } = tensor;
  if (type === 0) return { words: 'has no data type' };
  const count = countOf(dims);
  if (count === null) return { words: `has the shape [${dims.join(', ')}], which no tensor can have` };
  if (tensor.segmented) return { words: 'is stored in segments, which no version of ONNX reads' };
  const fields = dataFields(tensor, count);
  if (external !== null) return externalProblem(tensor, fields);
  if (elementType(type) === null) return { words: `has ${elementTypeName(type)}, which is not known; it is kept as it is`, isWarning: true };
  const names = fields.map((field) => FIELD_NAMES.get(field) ?? String(field));
  if (fields.length > 1) return { words: `has values in ${names.join(' and ')}: only one field may have them` };
  const [field] = fields;
  if (count === 0) return field === undefined ? null : { words: `has no elements, but values in ${names.join(' and ')}` };
  if (field === undefined) return { words: `has no data, but ${typeAndShape(type, dims)} has ${count === 1 ? 'an element' : `${count} elements`}` };
  return field === 9 ? rawProblem(tensor) : typedProblem(type, field);
}

/**
 * Numbers of the fields that hold values. An empty packed list is no value; two bytes may also be one value that is not packed, so that for
 * a tensor without elements they are not held against it.
 */
function dataFields({ raw, typed }: OnnxTensor, count: number): number[] {
  const holds = ({ number, start, end }: FieldSite) => number === 6 || end - start > 2 || count > 0;
  const numbers = new Set(typed.filter(holds).map(({ number }) => number));
  if (raw !== null && raw.length > 0) numbers.add(9);
  return [...numbers].sort((a, b) => a - b);
}

function rawProblem({ type, dims, raw }: OnnxTensor): Problem | null {
  if (type === STRING) return { words: 'holds texts in raw_data; they must be in string_data' };
  const bytes = rawBytes(type, dims);
  if (bytes === null || raw === null || raw.length === bytes) return null;
  return { words: `has ${raw.length} bytes in raw_data, but ${typeAndShape(type, dims)} needs ${bytes}` };
}

function typedProblem(type: number, field: number): Problem | null {
  const right = TYPED_FIELD.get(type) ?? INT32_DATA;
  if (right === field) return null;
  return { words: `has ${elementTypeName(type)} values in ${FIELD_NAMES.get(field) ?? field}; they belong in ${FIELD_NAMES.get(right) ?? right} or raw_data` };
}

/** What the model itself says; whether the file is there and long enough is for those who read it. */
function externalProblem({ type, dims, external }: OnnxTensor, fields: readonly number[]): Problem | null {
  if (external === null) return null;
  if (fields.length > 0) return { words: 'is stored in another file, but has values in the model too' };
  if (type === STRING) return { words: 'holds texts in another file; they must be in string_data' };
  if (external.location === '') return { words: 'is stored in another file, but the model does not say in which' };
  for (const key of ['offset', 'length'] as const) {
    const value = external[key];
    if (value !== null && !(Number.isSafeInteger(value) && value >= 0))
      return { words: `is stored in another file with the ${key} ${value}, which is not possible` };
  }
  const bytes = rawBytes(type, dims);
  if (bytes === null || external.length === null || external.length === bytes) return null;
  const words = `is stored in ${external.length} bytes of ${shownName(external.location)}, but ${typeAndShape(type, dims)} needs ${bytes}`;
  return { words, isWarning: external.length > bytes };
}
