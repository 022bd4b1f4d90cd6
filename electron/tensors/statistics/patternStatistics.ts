import type { DType } from '../../../shared/model/dtype';
import type { TensorStats } from '../../../shared/model/tensorStats';
import { leastNormal } from './leastNormal';
import { patternValues } from './patternValues';

/** Statistics from how often each bit pattern occurs: counts exact, sums rounded once a pattern. */
export function patternStatistics(dtype: DType, counts: Float64Array): TensorStats {
  const { values, ascending } = patternValues(dtype);
  const normal = leastNormal(dtype);
  const tally = { count: 0, finite: 0, nan: 0, positiveInfinity: 0, negativeInfinity: 0, zeros: 0, subnormals: 0 };
  let distinct = 0;
  for (let pattern = 0; pattern < values.length; pattern++) {
    const times = counts[pattern] as number;
    if (times === 0) continue;
    const x = values[pattern] as number;
    distinct++;
    tally.count += times;
    if (Number.isNaN(x)) tally.nan += times;
    else if (x === Number.POSITIVE_INFINITY) tally.positiveInfinity += times;
    else if (x === Number.NEGATIVE_INFINITY) tally.negativeInfinity += times;
    else tally.finite += times;
    if (x === 0) tally.zeros += times;
    else if (Math.abs(x) < normal) tally.subnormals += times;
  }
  const rest = { distinct: { count: distinct, exact: true }, exact: null };
  const there = ascending.filter((pattern) => (counts[pattern] as number) > 0);
  const [first] = there;
  const last = there.at(-1);
  if (first === undefined || last === undefined) return { ...tally, min: null, max: null, mean: null, std: null, l1: 0, norm: 0, ...rest };
  const sums = sumsOf(there, values, counts);
  const [min = 0, max = 0] = [values[first], values[last]];
  const mean = Math.min(max, Math.max(min, sums.sum / tally.finite));
  let m2 = 0;
  for (const pattern of there) m2 += ((values[pattern] as number) - mean) ** 2 * (counts[pattern] as number);
  return { ...tally, min, max, mean, std: Math.sqrt(m2 / tally.finite), l1: sums.sizes, norm: Math.sqrt(sums.squares), ...rest };
}

function sumsOf(there: Uint16Array, values: Float64Array, counts: Float64Array): { readonly sum: number; readonly sizes: number; readonly squares: number } {
  // From zero outwards would lose least; with what rounding took kept apart, any order does.
  let sum = 0;
  let lost = 0;
  let sizes = 0;
  let squares = 0;
  for (const pattern of there) {
    const x = values[pattern] as number;
    const times = counts[pattern] as number;
    const term = x * times;
    const next = sum + term;
    const part = next - sum;
    lost += sum - (next - part) + (term - part);
    sum = next;
    sizes += Math.abs(term);
    squares += x * x * times;
  }
  return { sum: sum + lost, sizes, squares };
}
