import { describe, expect, it } from 'vitest';
import { holds, parseCondition } from './condition';

describe('parseCondition', () => {
  it('reads a quantity, a comparison and a number', () => {
    expect(parseCondition('std > 1')).toEqual({ quantity: 'std', operator: '>', threshold: 1 });
    expect(parseCondition(' changed_share>=1e-2 ')).toEqual({ quantity: 'changed_share', operator: '>=', threshold: 0.01 });
    expect(parseCondition('relative_l2 <= .5')).toEqual({ quantity: 'relative_l2', operator: '<=', threshold: 0.5 });
  });

  it.each([
    ['', 'A condition is'],
    ['std', 'A condition is'],
    ['std > ', 'A condition is'],
    ['std > 1 2', 'A condition is'],
    ['size > 1', 'no quantity'],
    ['std > one', 'not a number'],
    ['std > Infinity', 'not a number'],
  ])('says what is wrong with %j', (text, words) => {
    expect(parseCondition(text)).toContain(words);
  });
});

describe('holds', () => {
  const at = (operator: '>' | '>=' | '<' | '<=' | '==' | '!=') => ({ quantity: 'std', operator, threshold: 1 }) as const;
  it('compares as it says, and never with what is not there', () => {
    const met = (value: number | null) => (['>', '>=', '<', '<=', '==', '!='] as const).filter((operator) => holds(at(operator), value));
    expect(met(2)).toEqual(['>', '>=', '!=']);
    expect(met(1)).toEqual(['>=', '<=', '==']);
    expect(met(0)).toEqual(['<', '<=', '!=']);
    expect(met(null)).toEqual([]);
  });
});
