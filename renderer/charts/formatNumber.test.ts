import { describe, expect, it } from 'vitest';
import { formatExactNumber, formatNumber, formatShare } from './formatNumber';

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [-12, '-12'],
    [1234567, '1 234 567'],
    [0.1, '0.1'],
    [-0.123456, '-0.1235'],
    [0.00123456, '0.001235'],
    [0.000123456, '1.235e-4'],
    [-1.5e-38, '-1.5e-38'],
    [1234.5678, '1 235'],
    [99999.96, '100 000'],
    [12.5, '12.5'],
    [1.23456e12, '1.235e12'],
    [16777216, '16 777 216'],
    [3.4028234663852886e38, '3.403e38'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '∞'],
    [Number.NEGATIVE_INFINITY, '-∞'],
  ])('writes %d as %s', (value, text) => {
    expect(formatNumber(value).replaceAll('\u202f', ' ')).toBe(text);
  });

  it('keeps every digit on request', () => {
    expect(formatExactNumber(0.1 + 0.2)).toBe('0.30000000000000004');
    expect(formatExactNumber(-0)).toBe('-0');
  });

  it.each([
    [0, '0 %'],
    [1, '100 %'],
    [0.5, '50 %'],
    [0.1234, '12.3 %'],
    [0.00001, '< 0.1 %'],
    [0.99999, '> 99.9 %'],
    [Number.NaN, '–'],
  ])('writes the share %d as %s', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });
});
