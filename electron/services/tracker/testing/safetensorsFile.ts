import type { DType } from '../../../../shared/model/dtype';
import type { Shape } from '../../../../shared/model/shape';

/** A tensor: raw little-endian bytes in C order. */
export interface Value {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly bytes: Uint8Array;
}

/** Names of the safetensors format, from its documentation. */
const NAMES: Readonly<Partial<Record<DType, string>>> = {
  bool: 'BOOL',
  uint8: 'U8',
  int8: 'I8',
  uint16: 'U16',
  int16: 'I16',
  uint32: 'U32',
  int32: 'I32',
  uint64: 'U64',
  int64: 'I64',
  float8_e4m3fn: 'F8_E4M3',
  float8_e4m3fnuz: 'F8_E4M3FNUZ',
  float8_e5m2: 'F8_E5M2',
  float8_e5m2fnuz: 'F8_E5M2FNUZ',
  float8_e8m0fnu: 'F8_E8M0',
  float16: 'F16',
  bfloat16: 'BF16',
  float32: 'F32',
  float64: 'F64',
  complex64: 'C64',
};

/** For tests: a safetensors file, made from the description of the format alone. Names in the order given. */
export function safetensorsFile(values: Readonly<Record<string, Value>>, metadata: Readonly<Record<string, string>> | null = null): Buffer {
  const header: Record<string, unknown> = metadata === null ? {} : { __metadata__: metadata };
  let at = 0;
  for (const [name, { dtype, shape, bytes }] of Object.entries(values)) {
    const spelled = NAMES[dtype];
    if (spelled === undefined) throw new TypeError(`safetensors knows no ${dtype}`);
    header[name] = { dtype: spelled, shape, data_offsets: [at, at + bytes.byteLength] };
    at += bytes.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.byteLength % 8)) % 8, ' ')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.byteLength));
  return Buffer.concat([length, padded, ...Object.values(values).map(({ bytes }) => bytes)]);
}

export function floats(values: ArrayLike<number>, shape: Shape = [values.length]): Value {
  return { dtype: 'float32', shape, bytes: new Uint8Array(Float32Array.from(values).buffer) };
}

/** Numbers of changing magnitude without a pattern, between -0.1 and 0.1. */
export function noise(count: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state / 2 ** 31 - 1) * 0.1;
  });
}

/** A copy with its bytes changed. */
export function edited(value: Value, edit: (bytes: DataView) => void): Value {
  const bytes = value.bytes.slice();
  edit(new DataView(bytes.buffer));
  return { ...value, bytes };
}
