import type { PairNumbers, PairStructure } from '../../../shared/model/pairNumbers';
import { changeWords } from './changeWords';
import type { PairPart } from './pairPart';
import { matrixSize, type PairSource } from './pairSource';
import { findPermutation } from './permutation';
import { findScaling } from './scaling';
import { type SpectrumBudget, spectrumOf } from './spectrum';
import { totalOf } from './sum';

export interface StructureOptions {
  readonly numbers: PairNumbers;
  readonly part: PairPart;
  readonly budget: SpectrumBudget;
}

/** How far the norms of two tensors that hold the same elements may be apart: sums of other orders round otherwise. */
const SAME_NORM = 1e-9;

/** Looks for the kind of change. What is dear is only tried where the numbers leave it possible. */
export async function pairStructureOf(source: PairSource, { numbers, part, budget }: StructureOptions): Promise<PairStructure> {
  const { differing } = part;
  const finite = part.finite === part.elements;
  const rounding = numbers.maxUlp !== null && numbers.maxUlp <= 1;
  const permutation = differing > 0 && hasSameNorms(part) ? await findPermutation(source) : null;
  // One step up or down is a factor of nearly 1, but nobody multiplied anything.
  const scaling = differing > 0 && finite && !rounding && permutation === null ? await findScaling(source) : null;
  const size = matrixSize(source.shape);
  const complex = source.dtype.startsWith('complex');
  const spectrum = finite && size !== null && !complex ? await spectrumOf(source, size, { differing, budget }) : null;
  const found = { rank: spectrum?.rank ?? null, rankIsAtLeast: spectrum?.atLeast ?? false, spectrum: spectrum?.values ?? [], scaling, permutation };
  const { nanAppeared, nanGone } = part;
  return { ...found, words: changeWords(numbers, found, { differing, finite: part.finite, nanAppeared, nanGone }) };
}

function hasSameNorms({ before, after }: PairPart): boolean {
  const [a, b] = [totalOf(before), totalOf(after)];
  return a.exponent === b.exponent && Math.abs(a.value - b.value) <= SAME_NORM * a.value;
}
