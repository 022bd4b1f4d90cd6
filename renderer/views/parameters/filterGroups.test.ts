import { describe, expect, it } from 'vitest';
import type { ChangedGroup } from '../../../shared/model/checkpoint';
import { filterGroups } from './filterGroups';

const base = { dtype: 'float32', shape: [64, 3], bytes: 1, updateType: 'dense', storedBytes: 1, oid: null, tiedTo: null, error: null } as const;
const groups: readonly ChangedGroup[] = [
  { change: 'modified', group: { ...base, name: 'encoder.Conv.weight', updateType: 'sparse' } },
  { change: 'unchanged', group: { ...base, name: 'encoder.Conv.bias', dtype: 'bfloat16', shape: [64] } },
  { change: 'added', group: { ...base, name: 'head.weight', updateType: null } },
  { change: 'removed', group: { ...base, name: 'old', error: { code: 'missing-object', message: 'gone' } } },
];
const names = (text: string, changedOnly = false) => filterGroups(groups, { text, changedOnly }).map((entry) => entry.group.name);

describe('filterGroups', () => {
  it.each([
    ['', ['encoder.Conv.weight', 'encoder.Conv.bias', 'head.weight', 'old']],
    ['conv', ['encoder.Conv.weight', 'encoder.Conv.bias']],
    ['weight encoder', ['encoder.Conv.weight']],
    ['bfloat', ['encoder.Conv.bias']],
    ['sparse', ['encoder.Conv.weight']],
    ['added', ['head.weight']],
    ['error', ['old']],
    ['64x3 weight', ['encoder.Conv.weight', 'head.weight']],
    ['nothing', []],
    ['.*', []],
  ])('finds %j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('leaves out what did not change', () => {
    expect(names('', true)).toEqual(['encoder.Conv.weight', 'head.weight', 'old']);
    expect(names('conv', true)).toEqual(['encoder.Conv.weight']);
  });
});
