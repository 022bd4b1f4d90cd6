import * as v from 'valibot';
import { count, dtype, histogram, shape, sliceView, tensorPreview, tensorStats } from '../../shared/contract/schemas';
import { tensorPlan } from './planSchema';

/** Schemas of the tasks that look at the values of one tensor. */

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const quantile = v.object({ at: v.number(), value: v.number() });
const histogramRequest = v.object({
  bins: v.pipe(count, v.minValue(1), v.maxValue(65_536)),
  range: v.nullable(v.object({ min: v.pipe(v.number(), v.finite()), max: v.pipe(v.number(), v.finite()) })),
  scale: v.picklist(['linear', 'symlog']),
});
const float64Array = v.instance(Float64Array<ArrayBuffer>);

const moments = v.object({ count, sum: v.number(), lost: v.number(), m2: v.number(), l1: v.number(), exponent: v.number() });
const exact = v.nullable(v.object({ min: v.string(), max: v.string() }));
const part = v.variant('kind', [
  v.object({ kind: v.literal('patterns'), counts: float64Array }),
  v.object({
    kind: v.literal('numbers'),
    count,
    nan: count,
    positiveInfinity: count,
    negativeInfinity: count,
    zeros: count,
    subnormals: count,
    /** Infinite when nothing is finite. */
    min: v.number(),
    max: v.number(),
    exact,
    moments,
    registers: v.instance(Uint8Array<ArrayBuffer>),
    cells: v.nullable(float64Array),
  }),
]);

export const statisticsSchemas = {
  statistics: {
    input: v.object({ plan: tensorPlan, histogram: v.nullable(histogramRequest), quantiles: v.array(share) }),
    output: v.object({ dtype, shape, stats: tensorStats, histogram: v.nullable(histogram), quantiles: v.array(quantile) }),
  },
  statisticsPart: {
    input: v.object({ plan: tensorPlan, histogram: v.nullable(histogramRequest) }),
    output: v.object({ part, histogram: v.nullable(histogram) }),
  },
  quantiles: {
    input: v.object({ plan: tensorPlan, quantiles: v.array(share), finite: count }),
    output: v.object({ quantiles: v.array(quantile) }),
  },
  slice: {
    input: v.object({ plan: tensorPlan, view: sliceView, maxRows: v.pipe(count, v.minValue(1)), maxColumns: v.pipe(count, v.minValue(1)) }),
    output: v.object({ dtype, shape, preview: tensorPreview }),
  },
  norms: {
    input: v.object({ plan: tensorPlan }),
    output: v.object({ dtype, shape, rows: v.nullable(float64Array), columns: v.nullable(float64Array) }),
  },
} as const;
