import { expect, it } from 'vitest';
import { formatMoment } from './formatMoment';

it.each([
  [1_738_587_900, 60, /^Mon.* 3 February 2025.* 14:05 \+01:00$/],
  [1_738_587_900, -330, /^Mon.* 3 February 2025.* 07:35 -05:30$/],
  [0, 0, /1 January 1970.* 00:00 \+00:00$/],
  [1e300, 0, /^Unknown date$/],
])('%d at %d', (time, offset, expected) => {
  expect(formatMoment({ time, offset })).toMatch(expected);
});
