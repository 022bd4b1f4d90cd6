import { loadKernels } from '../../bytes/loadKernels';
import { FLOAT32_MODULE } from './float32Module';

/** Bytes of each operand of an elementwise operation that are in the kernels' memory at a time. */
const PIECE = 64 * 1024;

export interface Float32Kernels {
  readonly memory: WebAssembly.Memory;
  rows(left: number, right: number, out: number, rows: number, depth: number, columns: number): void;
  add(left: number, right: number, end: number): void;
  multiply(left: number, right: number, end: number): void;
}

let loaded: { readonly kernels: Float32Kernels; reserve(bytes: number): void } | undefined;

/** The kernels of this thread with at least so much memory; its buffer may be another one than before. */
export function float32Kernels(bytes: number): Float32Kernels {
  loaded ??= instantiate();
  loaded.reserve(bytes);
  return loaded.kernels;
}

/** The signatures are those of `float32.wat`. */
function instantiate(): NonNullable<typeof loaded> {
  const { memory, fn, reserve } = loadKernels(FLOAT32_MODULE);
  return { kernels: { memory, rows: fn('rows'), add: fn('add'), multiply: fn('multiply') }, reserve };
}

/**
 * `target = left op right`, piece by piece through the kernels' memory: several times as fast as a loop here, copies included.
 * @param target may be one of the operands
 */
export function combineFloat32(
  operation: 'add' | 'multiply',
  target: Float32Array,
  operands: { readonly left: Float32Array; readonly right: Float32Array },
): void {
  const { left, right } = operands;
  const kernels = float32Kernels(2 * PIECE);
  const first = new Float32Array(kernels.memory.buffer, 0, PIECE / 4);
  const second = new Float32Array(kernels.memory.buffer, PIECE, PIECE / 4);
  for (let at = 0; at < target.length; at += first.length) {
    const count = Math.min(first.length, target.length - at);
    first.set(left.subarray(at, at + count));
    second.set(right.subarray(at, at + count));
    // The kernels work on groups of four; what follows the last element is not copied out.
    kernels[operation](0, PIECE, PIECE + 4 * count);
    target.set(count === second.length ? second : second.subarray(0, count), at);
  }
}

/** `values = 0 + values`. */
export function addZeroFloat32(values: Float32Array): void {
  const kernels = float32Kernels(2 * PIECE);
  new Float32Array(kernels.memory.buffer, 0, PIECE / 4).fill(0);
  const second = new Float32Array(kernels.memory.buffer, PIECE, PIECE / 4);
  for (let at = 0; at < values.length; at += second.length) {
    const part = values.subarray(at, at + second.length);
    second.set(part);
    kernels.add(0, PIECE, PIECE + 4 * part.length);
    part.set(part.length === second.length ? second : second.subarray(0, part.length));
  }
}
