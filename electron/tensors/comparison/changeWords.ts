import { thousands } from '../../../shared/base/thousands';
import type { PairNumbers, PairStructure } from '../../../shared/model/pairNumbers';
import { matrixSize } from './pairSource';

/** Counts that the numbers do not hold. */
export interface OddCounts {
  /** Elements that differ in value, on both sides finite. */
  readonly differing: number;
  /** Elements that are finite on both sides. */
  readonly finite: number;
  readonly nanAppeared: number;
  readonly nanGone: number;
}

/** Differences up to so many units in the last place are called rounding rather than anything else. */
const FEW_UNITS = 4;

/** What kind of change it is, in words, most telling first; never empty. */
export function changeWords(numbers: PairNumbers, structure: Omit<PairStructure, 'words'>, counts: OddCounts): string[] {
  const { changed, elements, maxUlp, signFlips } = numbers;
  if (elements === 0) return ['no elements'];
  if (changed === 0) return ['nothing changed'];
  const words = oddWords(numbers, counts);
  if (counts.differing === 0) return words.length > 0 ? words : ['only the bits of NaN changed'];
  const { permutation, scaling } = structure;
  if (permutation !== null) words.push(`${permutation.along} in another order`);
  if (scaling !== null) words.push(scalingWords(scaling));
  const rounding = maxUlp !== null && maxUlp > 0 && maxUlp <= FEW_UNITS;
  if (rounding) words.push(`every element within ${maxUlp} ${maxUlp === 1 ? 'unit' : 'units'} in the last place`);
  else if (isLowRank(numbers, structure)) words.push(`a rank-${structure.rank} update`);
  words.push(amount(changed, elements));
  if (signFlips > 0) words.push(`${thousands(signFlips)} ${signFlips === 1 ? 'element' : 'elements'} changed the sign`);
  return words;
}

function amount(changed: number, elements: number): string {
  if (elements === 1) return 'its only element changed';
  return changed === elements
    ? `all ${thousands(elements)} elements changed`
    : `${thousands(changed)} of ${thousands(elements)} elements changed (${share(changed, elements)})`;
}

function oddWords({ notFinite, elements }: PairNumbers, { differing, finite, nanAppeared, nanGone }: OddCounts): string[] {
  const words: string[] = [];
  const inElements = (count: number) => `${thousands(count)} ${count === 1 ? 'element' : 'elements'}`;
  if (nanAppeared > 0) words.push(`NaN appeared in ${inElements(nanAppeared)}`);
  if (nanGone > 0) words.push(`NaN gone from ${inElements(nanGone)}`);
  const others = notFinite - nanAppeared - nanGone;
  if (others > 0) words.push(`infinity came or went in ${inElements(others)}`);
  if (differing === 0 && notFinite === 0 && finite === elements) words.push('only the sign of zeros changed');
  return words;
}

/** The factors of a low-rank update take less room than the changed elements themselves, and the matrix could have more. */
function isLowRank({ shape, changed }: PairNumbers, { rank, rankIsAtLeast }: Omit<PairStructure, 'words'>): boolean {
  const size = matrixSize(shape);
  if (size === null || rank === null || rank === 0 || rankIsAtLeast || rank >= Math.min(size.rows, size.columns)) return false;
  return rank * (size.rows + size.columns) < changed;
}

function scalingWords({ along, exact, least, largest }: NonNullable<PairStructure['scaling']>): string {
  const about = exact ? '' : 'about ';
  if (along === 'all') return `everything multiplied by ${about}${short(least)}`;
  const line = along === 'rows' ? 'row' : 'column';
  return least === largest ? `each ${line} scaled by ${about}${short(least)}` : `each ${line} scaled by ${about}${short(least)} to ${short(largest)}`;
}

/** Three digits are enough to say it. */
const short = (value: number) => String(Number(value.toPrecision(3)));

/** `1.0 %`; two digits, never 0 for something, never 100 for less than all. */
function share(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  if (percent >= 99.95) return '> 99.9 %';
  if (percent < 0.001) return '< 0.001 %';
  return `${percent >= 1 ? percent.toFixed(1) : String(Number(percent.toPrecision(2)))} %`;
}
