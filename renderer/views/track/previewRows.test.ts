import { expect, it } from 'vitest';
import type { PreviewGroup } from '../../../shared/contract/trackRequests';
import { countChanges, filterGroups, sortGroups } from './previewRows';

function group(name: string, change: PreviewGroup['change'], updateType: string | null = 'dense'): PreviewGroup {
  return { name, dtype: 'float32', shape: [2], change, updateType, bytes: 8, addedBytes: 8, notes: [] };
}

const groups = [group('layer.10.w', 'modified', 'sparse'), group('layer.2.w', 'unchanged'), group('head', 'added'), group('old', 'removed', null)];
const names = (list: readonly PreviewGroup[]) => list.map(({ name }) => name);

it('counts numbers in names as numbers', () => {
  expect(names(sortGroups(groups))).toEqual(['head', 'layer.2.w', 'layer.10.w', 'old']);
});

it.each([
  ['', false, ['layer.10.w', 'layer.2.w', 'head', 'old']],
  ['', true, ['layer.10.w', 'head', 'old']],
  ['LAYER', true, ['layer.10.w']],
  ['sparse', false, ['layer.10.w']],
  ['removed', false, ['old']],
  ['nothing', false, []],
])('%j, only changes %s: %j', (text, onlyChanges, expected) => {
  expect(names(filterGroups(groups, { text, onlyChanges }))).toEqual(expected);
});

it('counts what is stored how', () => {
  expect(countChanges(groups).map(({ kind, groups: count }) => [kind, count])).toEqual([
    ['added', 1],
    ['sparse', 1],
    ['removed', 1],
    ['unchanged', 1],
  ]);
});
