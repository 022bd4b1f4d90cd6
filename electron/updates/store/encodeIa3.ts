import { type DType, dtypeBytes } from '../../../shared/model/dtype';
import { contiguousStrides, elementCount, type Shape } from '../../../shared/model/shape';
import { decodeToFloat64 } from '../../tensors/decode';
import { decodeHalves } from '../../tensors/kernels/decodeHalves';
import { lanesOf } from '../../tensors/kernels/lanes';
import { toBfloat16, toFloat16 } from '../../tensors/kernels/smallFloats';
import type { TensorStream } from '../../tensors/tensorStream';
import { blocksInStep } from './blocksInStep';
import type { Candidate } from './candidate';
import { nearbyFloat32, nearbyFloat64, nearbyHalf } from './nearby';
import type { Pace } from './pace';
import type { ScaleAxis } from './scaleProbe';

/** Elements of each slice that a factor has to fit: a wrong neighbour passes half of them. */
const WITNESSES = 32;
const MOST_SLICES = 65_536;
/** How far the factor may be from the rounded quotient: the product that it is taken from was rounded too. */
const STEPS = 3;
const CHUNK = 16_384;

export interface Values {
  readonly previous: TensorStream;
  readonly next: TensorStream;
}

/**
 * Factors along one axis that turn the previous value into the new one, as far as some elements of each slice tell. Whether the reader gets
 * the exact value from them is for the caller to try.
 * @returns `null` when a slice has no factor, or there are too many slices
 * @throws CheckpointError cancelled; what reading throws
 */
export async function encodeIa3({ previous, next }: Values, axis: ScaleAxis, pace: Pace): Promise<Candidate | null> {
  const { dtype, shape } = next;
  const slices = axis < 0 ? 1 : (shape[axis] ?? 1);
  if (slices > MOST_SLICES) return null;
  const witnesses = new Witnesses(shape, axis, slices);
  await readBoth({ previous, next }, (first, before, after) => witnesses.add(first, before, after), pace);
  const factors = new Uint8Array(slices * dtypeBytes(dtype));
  const arithmetic = arithmeticOf(dtype);
  if (arithmetic === null) return null;
  for (let slice = 0; slice < slices; slice++) {
    const factor = witnesses.factorOf(slice, arithmetic);
    if (factor === null) return null;
    arithmetic.put(factors, slice, factor);
  }
  return { kind: 'ia3', members: [{ name: 'ia3', dtype, shape: shape.map((_, at) => (at === axis ? slices : 1)), bytes: factors }] };
}

/** Hands both values on as doubles, in pieces; ends when the visitor has seen enough. */
async function readBoth({ previous, next }: Values, visit: (first: number, before: Float64Array, after: Float64Array) => boolean, pace: Pace): Promise<void> {
  const item = dtypeBytes(next.dtype);
  const before = new Float64Array(CHUNK);
  const after = new Float64Array(CHUNK);
  for await (const { start, parts } of blocksInStep([previous.blocks(pace.signal), next.blocks(pace.signal)])) {
    const [left, right] = parts;
    if (left === undefined || right === undefined) return;
    for (let at = 0; at < left.byteLength; at += CHUNK * item) {
      const count = decodeToFloat64(next.dtype, left.subarray(at, at + CHUNK * item), before);
      decodeToFloat64(next.dtype, right.subarray(at, at + CHUNK * item), after);
      if (visit((start + at) / item, before.subarray(0, count), after.subarray(0, count))) return;
    }
    await pace.step(left.byteLength);
  }
}

/** The first elements of each slice that tell something about its factor. */
class Witnesses {
  readonly #stride: number;
  readonly #extent: number;
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  readonly #counts: Uint8Array;
  readonly #most: number;
  #missing: number;

  constructor(shape: Shape, axis: ScaleAxis, slices: number) {
    this.#extent = slices;
    this.#stride = axis < 0 ? elementCount(shape) : (contiguousStrides(shape)[axis] ?? 1);
    this.#most = Math.min(WITNESSES, elementCount(shape) / slices);
    this.#before = new Float64Array(slices * this.#most);
    this.#after = new Float64Array(slices * this.#most);
    this.#counts = new Uint8Array(slices);
    this.#missing = slices;
  }

  /** @returns whether every slice has enough */
  add(first: number, before: Float64Array, after: Float64Array): boolean {
    const most = this.#most;
    for (let i = 0; i < before.length; ) {
      const slice = Math.floor((first + i) / this.#stride) % this.#extent;
      const end = Math.min(before.length, i + this.#stride - ((first + i) % this.#stride));
      let count = this.#counts[slice] ?? 0;
      if (count < most) {
        for (; i < end && count < most; i++) {
          const value = before[i] ?? 0;
          if (value === 0 || !Number.isFinite(value)) continue;
          this.#before[slice * most + count] = value;
          this.#after[slice * most + count++] = after[i] ?? 0;
        }
        this.#counts[slice] = count;
        if (count === most) this.#missing--;
      }
      i = end;
    }
    return this.#missing === 0;
  }

  /** A factor that all witnesses of the slice agree with: the rounded quotient of the largest, or a neighbour of it; 1 without witnesses. */
  factorOf(slice: number, { round, nearby }: Arithmetic): number | null {
    const from = slice * this.#most;
    const before = this.#before.subarray(from, from + (this.#counts[slice] ?? 0));
    const after = this.#after.subarray(from, from + before.length);
    if (before.length === 0) return 1;
    let largest = 0;
    for (let i = 1; i < before.length; i++) if (Math.abs(before[i] ?? 0) > Math.abs(before[largest] ?? 0)) largest = i;
    const quotient = round((after[largest] ?? 0) / (before[largest] ?? 1));
    const fits = (factor: number) => before.every((value, i) => Object.is(round(value * factor), after[i]));
    if (fits(quotient)) return quotient;
    return nearby(quotient, STEPS).find(fits) ?? null;
  }
}

interface Arithmetic {
  /** To the nearest number of the type. */
  round(value: number): number;
  nearby(value: number, steps: number): number[];
  /** Writes an element. */
  put(into: Uint8Array, at: number, value: number): void;
}

function arithmeticOf(dtype: DType): Arithmetic | null {
  const put = (into: Uint8Array, at: number, value: number) => {
    const lanes = lanesOf(dtype, into);
    if (lanes instanceof Float32Array || lanes instanceof Float64Array) lanes[at] = value;
    else if (lanes instanceof Uint16Array) lanes[at] = dtype === 'float16' ? toFloat16(value) : toBfloat16(value);
  };
  if (dtype === 'float32') return { round: Math.fround, nearby: nearbyFloat32, put };
  if (dtype === 'float64') return { round: (value) => value, nearby: nearbyFloat64, put };
  if (dtype !== 'float16' && dtype !== 'bfloat16') return null;
  const bitsOf = dtype === 'float16' ? toFloat16 : toBfloat16;
  const numberOf = (bits: number) => decodeHalves(dtype, Uint16Array.of(bits))[0] ?? 0;
  return { round: (value) => numberOf(bitsOf(value)), nearby: (value, steps) => nearbyHalf(bitsOf(value), steps).map(numberOf), put };
}
