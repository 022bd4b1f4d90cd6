import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';
import { isJsonArray, isJsonObject, type JsonValue } from '../../encodings/json/parseJson';
import { dtypeOf, packedBits } from './safetensorsDtypes';

/** A type that we read, or a packed one of which we know only its size. */
type EntryType = { readonly dtype: DType } | { readonly dtype: null; readonly name: string };

export interface SafetensorsEntry {
  readonly name: string;
  readonly type: EntryType;
  readonly shape: Shape;
  /** Offsets after the header; `end - begin` is the size that shape and type need. */
  readonly begin: number;
  readonly end: number;
}

/** What the header says about a tensor, its parts well-formed. */
export interface Declaration {
  readonly typeName: string;
  readonly shape: Shape;
  readonly begin: number;
  readonly end: number;
}

type Fail = (what: string, code?: 'malformed' | 'unsupported-format') => CheckpointError;

function failing(name: string, file: string): Fail {
  return (what, code = 'malformed') => new CheckpointError(code, what, { place: { file, group: name } });
}

/** One member of the header: `{"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`; further keys are ignored, as the reference does. */
export function parseDeclaration(name: string, value: JsonValue, file: string): Declaration {
  const fail = failing(name, file);
  if (!isJsonObject(value)) throw fail('The description of the tensor is no JSON object.');
  const typeName = value.get('dtype');
  if (typeof typeName !== 'string') throw fail("The tensor's dtype is missing or is no text.");
  const shape = integers(value.get('shape'));
  if (shape === null) throw fail("The tensor's shape is missing or is no list of whole numbers from 0.");
  const offsets = integers(value.get('data_offsets'));
  const [begin, end] = offsets ?? [];
  if (offsets?.length !== 2 || begin === undefined || end === undefined)
    throw fail("The tensor's data_offsets are missing or are not two whole numbers from 0.");
  return { typeName, shape, begin, end };
}

/** Checks that type, shape and offsets of a tensor belong together. @throws CheckpointError malformed, unsupported-format */
export function checkEntry(name: string, { typeName, shape, begin, end }: Declaration, file: string): SafetensorsEntry {
  const fail = failing(name, file);
  if (end < begin) throw fail(`The tensor's data_offsets [${begin}, ${end}] run backwards.`);
  const dtype = dtypeOf(typeName);
  const bits = dtype === undefined ? packedBits(typeName) : dtypeBytes(dtype) * 8;
  if (bits === undefined) throw fail(`The tensor has the type ${JSON.stringify(typeName)}, which is not known.`, 'unsupported-format');
  const needed = bytesOf(shape, bits);
  if (needed === null) throw fail(`The tensor's shape [${shape.join(', ')}] has more bytes than any file.`);
  if (end - begin !== needed) {
    throw fail(`The tensor's data_offsets [${begin}, ${end}] span ${end - begin} bytes, but ${typeName} with the shape [${shape.join(', ')}] needs ${needed}.`);
  }
  return { name, type: dtype === undefined ? { dtype: null, name: typeName } : { dtype }, shape, begin, end };
}

function integers(value: JsonValue | undefined): number[] | null {
  if (!isJsonArray(value)) return null;
  const result: number[] = [];
  for (const item of value) {
    if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < 0) return null;
    // -0 is a whole number to JSON, but should not go on as one.
    result.push(item === 0 ? 0 : item);
  }
  return result;
}

/** `null` when the size cannot be counted; not a whole number when a packed tensor does not fill its last byte. */
function bytesOf(shape: Shape, bits: number): number | null {
  try {
    const bytes = (elementCount(shape) * bits) / 8;
    return bytes <= Number.MAX_SAFE_INTEGER ? bytes : null;
  } catch {
    return null;
  }
}
