import * as v from 'valibot';
import { changedElement, closeness, pairNumbers, pairStructure } from '../../shared/contract/compareRequests';
import { count, histogram, tensorStats } from '../../shared/contract/schemas';
import { tensorPlan } from './planSchema';

/** What is asked of a pair of tensors and what is found, as it crosses between threads. */

const sum = v.object({ value: v.number(), rest: v.number(), exponent: v.pipe(v.number(), v.safeInteger()) });

const pairPart = v.object({
  elements: count,
  finite: count,
  changed: count,
  beyond: count,
  differing: count,
  notFinite: count,
  nanAppeared: count,
  nanGone: count,
  signFlips: count,
  maxAbs: v.number(),
  maxIndex: v.pipe(v.number(), v.safeInteger()),
  maxRelative: v.number(),
  maxUlp: v.number(),
  absolute: sum,
  squares: sum,
  before: sum,
  after: sum,
  product: sum,
  closeness,
});

const tolerance = v.pipe(v.number(), v.minValue(0));

export const measurePairSchemas = {
  input: v.object({
    before: tensorPlan,
    after: tensorPlan,
    rtol: tolerance,
    atol: tolerance,
    largest: count,
    bins: count,
    structure: v.boolean(),
    closeness: v.boolean(),
    range: v.optional(v.nullable(v.object({ from: count, count }))),
  }),
  output: v.object({
    numbers: pairNumbers,
    closeness,
    structure: v.nullable(pairStructure),
    stats: v.nullable(v.object({ a: tensorStats, b: tensorStats })),
    histograms: v.nullable(v.object({ a: histogram, b: histogram })),
    delta: v.nullable(histogram),
    largest: v.array(changedElement),
    part: v.nullable(pairPart),
  }),
};

export const pairStructureSchemas = {
  input: v.object({ before: tensorPlan, after: tensorPlan, numbers: pairNumbers, part: pairPart, thorough: v.boolean() }),
  output: v.object({ structure: pairStructure }),
};
