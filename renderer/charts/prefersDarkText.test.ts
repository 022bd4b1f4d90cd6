import { expect, it } from 'vitest';
import { prefersDarkText } from './prefersDarkText';

it('takes dark letters on light colours', () => {
  expect([0xffffff, 0xffdca8, 0x767676, 0x1c53b1, 0x000000].map(prefersDarkText)).toEqual([true, true, true, false, false]);
});
