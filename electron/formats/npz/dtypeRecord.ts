import { CheckpointError } from '../../../shared/contract/errors';
import { type DType, dtypeBytes, isDType } from '../../../shared/model/dtype';
import { isJsonObject, parseJson } from '../../encodings/json/parseJson';

/**
 * Name of the array that says which others hold the bits of a type that NumPy does not have: UTF-8 JSON `{"name": "bfloat16", ...}` as
 * uint8. numpy.load gives it like any other array, and `bytes(array)` is the JSON.
 */
export const DTYPE_RECORD = '__theta_dtypes__';

/** The integer type whose bits stand for a type that NumPy does not have. */
export function carrierOf(dtype: DType): DType {
  const bytes = dtypeBytes(dtype);
  return bytes === 1 ? 'uint8' : bytes === 2 ? 'uint16' : 'uint32';
}

export function encodeDtypeRecord(dtypes: ReadonlyMap<string, DType>): Uint8Array {
  return new TextEncoder().encode(`{${[...dtypes].map(([name, dtype]) => `${JSON.stringify(name)}:"${dtype}"`).join(',')}}`);
}

/** @throws CheckpointError malformed */
export function decodeDtypeRecord(bytes: Uint8Array, file: string): Map<string, DType> {
  const fail = () =>
    new CheckpointError('malformed', `The array ${DTYPE_RECORD} does not say which types the others have.`, { place: { file, group: DTYPE_RECORD } });
  const record = parseJson(new TextDecoder().decode(bytes), file);
  if (!isJsonObject(record)) throw fail();
  const result = new Map<string, DType>();
  for (const [name, dtype] of record) {
    if (typeof dtype !== 'string' || !isDType(dtype)) throw fail();
    result.set(name, dtype);
  }
  return result;
}
