import { ClosenessTable } from './closenessTable';
import type { Tolerance } from './judgeDifferences';
import type { PairPart } from './pairPart';
import { addSum } from './sum';

export interface PairAccumulator {
  /** @param at place of the first element in the whole tensor; chunks come in order */
  add(a: Uint8Array, b: Uint8Array, at: number): void;
  /**
   * Where both sides can be read to instead of memory of the caller's, a piece at a time; `null` for types without kernels. What is there is taken
   * by `addInput`, as by `add`.
   */
  readonly input: { readonly a: Uint8Array; readonly b: Uint8Array } | null;
  /** @param bytes of each side, whole elements */
  addInput(bytes: number, at: number): void;
  /** Called once, at the end. */
  finish(): PairPart;
}

export interface PairOptions {
  readonly tolerance: Tolerance;
  /** Whether every NaN counts as the same: where the tensors were of different types, their payloads mean nothing. */
  readonly equalNaN: boolean;
  /** Whether the part will say how large the differences are (`PairPart.closeness`), which takes longer than all the rest. */
  readonly closeness: boolean;
}

export interface ChunkSums {
  readonly absolute: number;
  readonly squares: number;
  readonly before: number;
  readonly after: number;
  readonly product: number;
}

export function addSums(part: PairPart, count: number, { absolute, squares, before, after, product }: ChunkSums): void {
  part.finite += count;
  addSum(part.absolute, absolute);
  addSum(part.squares, squares);
  addSum(part.before, before);
  addSum(part.after, after);
  addSum(part.product, product);
}

/** Tables of comparisons that ended; those of one that was cancelled are not clean, and are not used again. */
export const freeTables: ClosenessTable[] = [];

export function takeTable(): ClosenessTable {
  return freeTables.pop() ?? new ClosenessTable();
}
