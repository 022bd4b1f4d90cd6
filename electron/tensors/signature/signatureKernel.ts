import { assembleSignatureModule, KERNEL_VALUES, LAYOUT } from './signatureModule';
import data from './signaturePool.json';

export const SIGNATURE_LENGTH = 16;
/** Aligned blocks of 16 normal deviates in the pool; 16 divides its 10000. */
const POOL_BLOCKS = 625;
/** Block numbers are split here, so that XOR with 60-bit offsets stays in 32-bit integers. */
const LOW_BITS = 30;
const LOW = 2 ** LOW_BITS;

/** One of the 16 offsets, taken apart: `offset = (high * 2^30 + low) * 16 + swap`, all bits of two's complement. */
const OFFSETS = data.offsets.map((text) => {
  const block = BigInt(text) >> 4n;
  return { high: Number(block >> BigInt(LOW_BITS)), low: Number(block & BigInt(LOW - 1)), swap: Number(BigInt(text) & 15n) };
});

interface Kernel {
  readonly pool: Float64Array;
  readonly sums: Float64Array;
  readonly highParts: Int32Array;
  readonly values: Float64Array;
  readonly floats: Float32Array;
  project(values: number, blocks: number, low: number): void;
  widen(floats: number, blocks: number, values: number): void;
}

let loaded: Kernel | undefined;

/** The kernel of this thread, its pool filled. */
function kernel(): Kernel {
  loaded ??= instantiate();
  return loaded;
}

function instantiate(): Kernel {
  const { memory, project, widen } = new WebAssembly.Instance(new WebAssembly.Module(assembleSignatureModule(OFFSETS))).exports;
  if (!(memory instanceof WebAssembly.Memory) || !isKernel(project) || !isKernel(widen)) throw new TypeError('The signature kernel lacks an export');
  const { buffer } = memory;
  new Uint8Array(buffer, LAYOUT.pool).set(Buffer.from(data.pool, 'base64'));
  return {
    pool: new Float64Array(buffer, LAYOUT.pool, POOL_BLOCKS * SIGNATURE_LENGTH),
    sums: new Float64Array(buffer, LAYOUT.sums, SIGNATURE_LENGTH),
    highParts: new Int32Array(buffer, LAYOUT.highParts, SIGNATURE_LENGTH),
    values: new Float64Array(buffer, LAYOUT.values, KERNEL_VALUES),
    floats: new Float32Array(buffer, LAYOUT.floats, KERNEL_VALUES),
    project,
    widen,
  };
}

/** Their signatures are those of the module that we have just assembled. */
function isKernel(value: unknown): value is Kernel['project'] {
  return typeof value === 'function';
}

/**
 * Adds `x[i] * pool[(i XOR offset) mod 10000]` to each of 16 sums, for i = first, first + 1, ...: products and sums are rounded to double
 * one by one in this order, which fixes every bit. An aligned block of 16 indices XOR an offset is an aligned block of the pool, permuted
 * by the offset's low four bits, so that the division is done once a block.
 * @param decode writes the elements [at, at + count) of the piece as doubles, or as floats where the type is one that floats hold exactly
 */
export function addProjections(
  sums: Float64Array,
  piece: { readonly first: number; readonly count: number },
  decode: { readonly f64: (at: number, into: Float64Array) => void } | { readonly f32: (at: number, into: Float32Array) => void },
): void {
  const { pool, values, floats, ...wasm } = kernel();
  for (let at = 0; at < piece.count; ) {
    const index = piece.first + at;
    const lane = index % SIGNATURE_LENGTH;
    const block = Math.floor(index / SIGNATURE_LENGTH);
    const whole = lane === 0 ? Math.min(Math.floor((piece.count - at) / SIGNATURE_LENGTH), KERNEL_VALUES / SIGNATURE_LENGTH, LOW - (block % LOW)) : 0;
    const size = whole > 0 ? whole * SIGNATURE_LENGTH : Math.min(SIGNATURE_LENGTH - lane, piece.count - at);
    const part = values.subarray(0, size);
    if ('f64' in decode) decode.f64(at, part);
    else {
      decode.f32(at, floats.subarray(0, size));
      if (whole > 0) wasm.widen(LAYOUT.floats, whole, LAYOUT.values);
      else part.set(floats.subarray(0, size));
    }
    setHighParts(wasm.highParts, Math.floor(block / LOW));
    if (whole > 0) {
      wasm.sums.set(sums);
      wasm.project(LAYOUT.values, whole, block % LOW);
      sums.set(wasm.sums);
    } else {
      for (const [s, { low, swap }] of OFFSETS.entries()) {
        const base = ((((block % LOW) ^ low) % POOL_BLOCKS) + (wasm.highParts[s] ?? 0)) % POOL_BLOCKS;
        for (const [i, value] of part.entries()) sums[s] = (sums[s] ?? 0) + value * (pool[base * SIGNATURE_LENGTH + ((lane + i) ^ swap)] ?? 0);
      }
    }
    at += size;
  }
}

let highOf = -1;

/** What the block number's upper bits contribute to the block of the pool, below 625. */
function setHighParts(highParts: Int32Array, high: number): void {
  if (high === highOf) return;
  highOf = high;
  // -1 mod 625 is 624, as Python has it.
  for (const [s, offset] of OFFSETS.entries()) highParts[s] = ((((high ^ offset.high) % POOL_BLOCKS) + POOL_BLOCKS) * (LOW % POOL_BLOCKS)) % POOL_BLOCKS;
}
