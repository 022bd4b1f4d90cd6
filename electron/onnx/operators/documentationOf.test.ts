import { describe, expect, it } from 'vitest';
import { REAL_MODELS } from '../testing/realModels';
import { viewOfFile } from '../view/testing/viewOf';
import { ARRAY_OPERATORS } from './arrayOperators';
import { documentationOf } from './documentationOf';
import { MATH_OPERATORS } from './mathOperators';
import { NETWORK_OPERATORS } from './networkOperators';
import { OTHER_OPERATORS } from './otherOperators';

const ALL = [...MATH_OPERATORS, ...NETWORK_OPERATORS, ...ARRAY_OPERATORS, ...OTHER_OPERATORS];

describe('documentation of operators', () => {
  it('has each operator once, in whole sentences', () => {
    expect(new Set(ALL.map(([name]) => name)).size).toBe(ALL.length);
    expect(ALL.length).toBeGreaterThan(180);
    for (const [, since, inputs, outputs, summary] of ALL) {
      expect(since).toBeGreaterThan(0);
      expect(summary).toMatch(/\S.*\.$/s);
      expect(`${inputs} ${outputs}`).not.toMatch(/ {2}\S/);
    }
  });

  it('tells domains apart', () => {
    expect(documentationOf('', 'Conv')).toMatchObject({ since: 1, inputs: ['X', 'W', 'B?'], outputs: ['Y'] });
    expect(documentationOf('', 'Gelu')?.since).toBe(20);
    expect(documentationOf('com.microsoft', 'Gelu')?.since).toBe(1);
    expect(documentationOf('my.own', 'Conv')).toBeNull();
  });

  it.each(REAL_MODELS)('knows every operator of %s', async (path) => {
    const { view } = await viewOfFile(path);
    expect(view.operators.filter((name) => documentationOf('', name) === null)).toEqual([]);
  });
});
