import { KERNEL_FLOATS, KERNEL_VALUES, LAYOUT, SIGNATURE_MODULE } from './signatureModule';
import data from './signaturePool.json';

export const SIGNATURE_LENGTH = 16;
/** Aligned blocks of 16 normal deviates in the pool; 16 divides its 10000. */
const POOL_BLOCKS = 625;
/** Block numbers are split here, so that XOR with 60-bit offsets stays in 32-bit integers. */
const LOW_BITS = 30;
const LOW = 2 ** LOW_BITS;

/** The 16 offsets, taken apart: `offset = (high * 2^30 + low) * 16 + swap`, all bits of two's complement. */
export const OFFSETS = data.offsets.map((text) => {
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
  const { memory, project, widen } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(SIGNATURE_MODULE, 'base64'))).exports;
  if (!(memory instanceof WebAssembly.Memory) || !isKernel(project) || !isKernel(widen)) throw new TypeError('The signature kernel lacks an export');
  const { buffer } = memory;
  new Uint8Array(buffer, LAYOUT.pool).set(Buffer.from(data.pool, 'base64'));
  return {
    pool: new Float64Array(buffer, LAYOUT.pool, POOL_BLOCKS * SIGNATURE_LENGTH),
    sums: new Float64Array(buffer, LAYOUT.sums, SIGNATURE_LENGTH),
    highParts: new Int32Array(buffer, LAYOUT.highParts, SIGNATURE_LENGTH),
    values: new Float64Array(buffer, LAYOUT.values, KERNEL_VALUES),
    floats: new Float32Array(buffer, LAYOUT.floats, KERNEL_FLOATS),
    project,
    widen,
  };
}

/** Their signatures are those of the module that we have just assembled. */
function isKernel(value: unknown): value is Kernel['project'] {
  return typeof value === 'function';
}

type Decode = { readonly f64: (at: number, into: Float64Array) => void } | { readonly f32: (at: number, into: Float32Array) => void };

/**
 * Adds `x[i] * pool[(i XOR offset) mod 10000]` to each of 16 sums, for i = first, first + 1, ...: products and sums are rounded to double
 * one by one in this order, which fixes every bit. An aligned block of 16 indices XOR an offset is an aligned block of the pool, permuted
 * by the offset's low four bits, so that the division is done once a block.
 * @param decode writes the elements [at, at + count) of the piece as doubles, or as floats where the type is one that floats hold exactly
 */
export function addProjections(sums: Float64Array, piece: { readonly first: number; readonly count: number }, decode: Decode): void {
  const wasm = kernel();
  const most = ('f32' in decode ? KERNEL_FLOATS : KERNEL_VALUES) / SIGNATURE_LENGTH;
  for (let at = 0; at < piece.count; ) {
    const index = piece.first + at;
    const lane = index % SIGNATURE_LENGTH;
    const block = Math.floor(index / SIGNATURE_LENGTH);
    setHighParts(wasm.highParts, Math.floor(block / LOW));
    const low = block % LOW;
    const whole = lane === 0 ? Math.min(Math.floor((piece.count - at) / SIGNATURE_LENGTH), most, LOW - low) : 0;
    if (whole > 0) {
      wasm.sums.set(sums);
      addBlocks(wasm, { at, blocks: whole, low }, decode);
      sums.set(wasm.sums);
      at += whole * SIGNATURE_LENGTH;
    } else {
      const part = wasm.values.subarray(0, Math.min(SIGNATURE_LENGTH - lane, piece.count - at));
      decodePart(decode, at, part);
      for (const [s, offset] of OFFSETS.entries()) {
        const base = (((low ^ offset.low) % POOL_BLOCKS) + (wasm.highParts[s] ?? 0)) % POOL_BLOCKS;
        for (const [i, value] of part.entries()) sums[s] = (sums[s] ?? 0) + value * (wasm.pool[base * SIGNATURE_LENGTH + ((lane + i) ^ offset.swap)] ?? 0);
      }
      at += part.length;
    }
  }
}

/** Floats come into the kernel's memory many at a time, and become doubles as many as stay in the first cache. */
function addBlocks(wasm: Kernel, { at, blocks, low }: { readonly at: number; readonly blocks: number; readonly low: number }, decode: Decode): void {
  if ('f64' in decode) {
    decode.f64(at, wasm.values.subarray(0, blocks * SIGNATURE_LENGTH));
    wasm.project(LAYOUT.values, blocks, low);
    return;
  }
  decode.f32(at, wasm.floats.subarray(0, blocks * SIGNATURE_LENGTH));
  const most = KERNEL_VALUES / SIGNATURE_LENGTH;
  for (let done = 0; done < blocks; done += most) {
    const some = Math.min(most, blocks - done);
    wasm.widen(LAYOUT.floats + 4 * SIGNATURE_LENGTH * done, some, LAYOUT.values);
    wasm.project(LAYOUT.values, some, low + done);
  }
}

function decodePart(decode: Decode, at: number, into: Float64Array): void {
  if ('f64' in decode) {
    decode.f64(at, into);
    return;
  }
  const floats = new Float32Array(into.length);
  decode.f32(at, floats);
  into.set(floats);
}

let highOf = -1;

/** What the block number's upper bits contribute to the block of the pool, below 625. */
function setHighParts(highParts: Int32Array, high: number): void {
  if (high === highOf) return;
  highOf = high;
  // -1 mod 625 is 624, as Python has it.
  for (const [s, offset] of OFFSETS.entries()) highParts[s] = ((((high ^ offset.high) % POOL_BLOCKS) + POOL_BLOCKS) * (LOW % POOL_BLOCKS)) % POOL_BLOCKS;
}
