import { expect, it } from 'vitest';
import { describeAlarm, listStats } from './listStats';

const stats = {
  count: 8,
  finite: 5,
  nan: 2,
  positiveInfinity: 1,
  negativeInfinity: 0,
  zeros: 4,
  min: -1,
  max: 2,
  mean: 0.5,
  std: 1,
  l1: 4,
  norm: 3,
  subnormals: 1,
  distinct: { count: 6, exact: true },
  exact: null,
};

it('lists shares of all elements, and raises the alarm only for what is there', () => {
  const entries = new Map(listStats(stats).map((entry) => [entry.label, entry]));
  expect(entries.get('Zeros')).toEqual({ label: 'Zeros', kind: 'count', value: 4, share: 0.5, isAlarm: false });
  expect(entries.get('NaN')).toMatchObject({ value: 2, share: 0.25, isAlarm: true });
  expect(entries.get('Infinite')).toMatchObject({ value: 1, isAlarm: true });
});

it('takes an empty tensor', () => {
  const empty = { ...stats, count: 0, finite: 0, nan: 0, positiveInfinity: 0, zeros: 0, min: null, max: null, mean: null, std: null, norm: 0 };
  for (const entry of listStats(empty)) expect(entry.share ?? 0).toBe(0);
});

it.each([
  [{}, '2 NaN and 1 +∞'],
  [{ negativeInfinity: 1234 }, '2 NaN, 1 +∞ and 1\u202f234 −∞'],
  [{ nan: 0 }, '1 +∞'],
  [{ nan: 0, positiveInfinity: 0 }, null],
])('describes %j', (rest, text) => {
  expect(describeAlarm({ ...stats, ...rest })).toBe(text);
});
