import { describe, expect, it } from 'vitest';
import { encodeConstant } from './encodeConstant';

function hex(text: string, code: number): string {
  return Buffer.from(encodeConstant(text, code)).toString('hex');
}

/** Bits by hand from the definitions of the types; those of NumPy's types as numpy 2.4 casts them. */
const RIGHT: readonly (readonly [number, string, string])[] = [
  [1, '1', '0000803f'],
  [1, '-1.5e-3', 'a69bc4ba'],
  [1, '-0.0', '00000080'],
  [1, 'inf', '0000807f'],
  [1, '-Infinity', '000080ff'],
  [1, 'nan', '0000c07f'],
  [1, 'true', '0000803f'],
  // 1 + 2^-24 lies half way; a digit far behind decides, which a double no longer holds.
  [1, '1.000000059604644775390625', '0000803f'],
  [1, '1.00000005960464477539062500000000000000001', '0100803f'],
  [1, '1e-46', '00000000'],
  [1, '0.7006492321624085354618647916449580656401309709382578858785341419448955413429303e-45', '00000000'],
  [1, '0.70064923216240853546186479164495806564013097093825788587853414194489554134293031e-45', '01000000'],
  [10, '65504', 'ff7b'],
  [10, '1.00048828125', '003c'],
  [10, '1.00048828125000000000000000000001', '013c'],
  [10, '-6e-8', '0180'],
  [10, 'nan', '007e'],
  [16, '1.00390625', '803f'],
  [16, '1.0039062500000000000000000000000001', '813f'],
  [16, '-inf', '80ff'],
  [11, '0.1', '9a9999999999b93f'],
  [11, '1e308', 'a0c8eb85f3cce17f'],
  [14, '1-2j', '0000803f000000c0'],
  [14, '1e-3+2e-3J', '6f12833a6f12033b'],
  [14, '3', '0000404000000000'],
  [15, '-j', `${'00'.repeat(8)}000000000000f0bf`],
  [2, '255', 'ff'],
  [3, '-128', '80'],
  [4, '65535', 'ffff'],
  [5, '-2', 'feff'],
  [6, '-1e3', '18fcffff'],
  [7, '9007199254740993', '0100000000002000'],
  [7, '-9223372036854775808', '0000000000000080'],
  [12, '4294967295', 'ffffffff'],
  [13, '18446744073709551615', 'ffffffffffffffff'],
  [9, 'true', '01'],
  [9, 'FALSE', '00'],
  [9, '1', '01'],
  // E4M3FN: 448 is 0x7e, 2^-9 the smallest, 1.0625 a tie between 0x38 and 0x39.
  [17, '448', '7e'],
  [17, '463', '7e'],
  [17, '1.0625', '38'],
  [17, '1.06250000000000000000000000001', '39'],
  [17, '-0', '80'],
  [17, 'nan', '7f'],
  [18, '240', '7f'],
  [18, '-0', '00'],
  [18, 'nan', '80'],
  [19, '57344', '7b'],
  [19, 'inf', '7c'],
  [20, '-57344', 'ff'],
  [24, '1', '7f'],
  [24, '0.25', '7d'],
  // Types of less than a byte fill one.
  [21, '15', 'ff'],
  [21, '3', '33'],
  [22, '-8', '88'],
  [22, '-1', 'ff'],
  [23, '6', '77'],
  [23, '-0.5', '99'],
  [23, '2.5', '44'],
  [23, '5', '66'],
  [23, '0.25', '00'],
  [25, '2', 'aa'],
  [26, '-2', 'aa'],
  [26, '1', '55'],
];

const REFUSED: readonly (readonly [number, string, string])[] = [
  [1, '1e39', 'out of the range of float'],
  [1, 'one', 'no number'],
  [1, '0x10', 'no number'],
  [1, '', 'no number'],
  [1, '1e', 'no number'],
  [10, '65520', 'out of the range of float16'],
  [11, '1e309', 'out of the range of double'],
  [17, 'inf', 'no infinity'],
  [17, '465', 'out of the range'],
  [20, '-inf', 'no negative infinity'],
  [24, '0', 'no zero'],
  [24, '-1', 'powers of two'],
  [23, '7', 'out of the range'],
  [23, 'nan', 'no NaN'],
  [2, '256', 'holds 0 to 255'],
  [2, '-1', 'holds 0 to 255'],
  [7, '9223372036854775808', 'out of the range of int64'],
  [7, '1e999999999', 'no whole number'],
  [6, '1.5', 'no whole number'],
  [6, 'inf', 'no NaN and no infinity'],
  [9, '2', 'holds 0 to 1'],
  [22, '8', 'holds -8 to 7'],
  [26, '2', 'holds -2 to 1'],
  [27, '1', 'not known'],
  [0, '1', 'not known'],
];

describe('a constant as the bytes of one element', () => {
  it.each(RIGHT)('type %i of %s is %s', (code, text, expected) => {
    expect(hex(text, code)).toBe(expected);
  });

  it.each(REFUSED)('type %i cannot hold %j: %s', (code, text, why) => {
    expect(() => encodeConstant(text, code)).toThrow(expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining(why) }));
  });

  it('keeps a text as it is', () => {
    expect(Buffer.from(encodeConstant(' ä ', 8)).toString('utf8')).toBe(' ä ');
  });
});
