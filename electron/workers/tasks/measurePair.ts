import { dtypeBytes } from '../../../shared/model/dtype';
import type { ChangedElement, Closeness, PairNumbers, PairStructure } from '../../../shared/model/pairNumbers';
import type { Histogram, TensorStats } from '../../../shared/model/tensorStats';
import { widen } from '../../tensors/comparison/comparedType';
import { createPairAccumulator } from '../../tensors/comparison/pairAccumulator';
import { multiIndex, pairNumbersOf } from '../../tensors/comparison/pairNumbersOf';
import type { PairAccumulator } from '../../tensors/comparison/pairOptions';
import type { PairPart } from '../../tensors/comparison/pairPart';
import { pairStructureOf } from '../../tensors/comparison/pairStructureOf';
import type { TensorPlan } from '../../updates/updateChain';
import { fillPair } from './fillPair';
import { forEachPair } from './forEachPair';
import { type ElementRange, type OpenPair, openPair } from './openPair';
import { openPairSource } from './openPairSource';
import { createPairDetail, pairHistograms } from './pairDetail';
import { structureBudget } from './pairStructure';
import type { TaskContext } from './task';

export interface MeasurePairInput {
  readonly before: TensorPlan;
  readonly after: TensorPlan;
  readonly rtol: number;
  readonly atol: number;
  /** How many of the largest changes are wanted. */
  readonly largest: number;
  /** Bins of the histograms; 0: neither histograms nor statistics. */
  readonly bins: number;
  /** Whether the kind of change is looked for; with `bins`, thoroughly: the head of the spectrum also of large matrices. */
  readonly structure: boolean;
  /** Whether `closeness` is wanted. */
  readonly closeness: boolean;
  /** Only these elements of two plain tensors (`isPlain`), for `joinPairParts`; then without histograms and structure. `null`: all. */
  readonly range?: ElementRange | null | undefined;
}

export interface MeasurePairOutput {
  readonly numbers: PairNumbers;
  /** Empty where it was not asked for. */
  readonly closeness: Closeness;
  readonly structure: PairStructure | null;
  /** Statistics of both sides, each in its own type. */
  readonly stats: { readonly a: TensorStats; readonly b: TensorStats } | null;
  /** Over common bins; `null` without finite elements. */
  readonly histograms: { readonly a: Histogram; readonly b: Histogram } | null;
  readonly delta: Histogram | null;
  /** Largest |b - a| first; a NaN that came or went counts as infinitely far. */
  readonly largest: readonly ChangedElement[];
  /** What the numbers were made of, where only a range was measured. */
  readonly part: PairPart | null;
}

/**
 * Reads two tensors in step and says in numbers how they differ, in bounded memory: one pass, a second one for histograms.
 * @throws CheckpointError `invalid-request` when the shapes differ; what reading throws
 */
export async function measurePair(input: MeasurePairInput, context: TaskContext): Promise<MeasurePairOutput> {
  const range = input.range ?? null;
  const pair = await openPair({ ...input, range }, context.signal);
  try {
    const total = pair.elements * dtypeBytes(pair.after.dtype) * (input.bins > 0 ? 2 : 1);
    const detail = createPairDetail(pair, input);
    const part = await measure(pair, input, { context, total, detail });
    const whole = { ...pair, tolerance: { rtol: input.rtol, atol: input.atol }, sameType: pair.before.dtype === pair.after.dtype };
    const numbers = pairNumbersOf(part, whole);
    const found = detail.finish();
    const histograms = input.bins === 0 ? null : await pairHistograms(pair, found, { bins: input.bins, context, before: total / 2, total });
    return {
      numbers,
      closeness: part.closeness,
      structure: input.structure && range === null ? await structureOf(pair, input, { numbers, part, context }) : null,
      stats: found.stats,
      histograms: histograms?.sides ?? null,
      delta: histograms?.delta ?? null,
      largest: found.largest.map(({ place, ...change }) => ({ index: multiIndex(place, pair.shape), ...change })),
      part: range === null ? null : part,
    };
  } finally {
    await pair.close();
  }
}

async function structureOf(
  pair: OpenPair,
  { before, after, bins }: MeasurePairInput,
  { numbers, part, context }: { readonly numbers: PairNumbers; readonly part: PairPart; readonly context: TaskContext },
): Promise<PairStructure> {
  const source = openPairSource(pair, { before, after }, context);
  return pairStructureOf(source, { numbers, part, budget: structureBudget(bins > 0) });
}

interface PassOptions {
  readonly context: TaskContext;
  readonly total: number;
  readonly detail: ReturnType<typeof createPairDetail>;
}

async function measure(pair: OpenPair, { rtol, atol, closeness }: MeasurePairInput, { context, total, detail }: PassOptions): Promise<PairPart> {
  const { before, after, comparedAs } = pair;
  const accumulator = createPairAccumulator(comparedAs, { tolerance: { rtol, atol }, equalNaN: before.dtype !== after.dtype, closeness });
  if (detail.isNeeded || !(await fillPair(pair, accumulator, { context, before: 0, total }))) await readPair(pair, accumulator, { context, total, detail });
  return accumulator.finish();
}

async function readPair(pair: OpenPair, accumulator: PairAccumulator, { context, total, detail }: PassOptions): Promise<void> {
  const { before, after, comparedAs, from } = pair;
  await forEachPair(
    pair,
    (a, b, at) => {
      const [x, y] = [widen(a, before.dtype, comparedAs), widen(b, after.dtype, comparedAs)];
      accumulator.add(x, y, from + at);
      detail.add({ a, b, wideA: x, wideB: y, at: from + at });
    },
    { context, before: 0, total },
  );
}
