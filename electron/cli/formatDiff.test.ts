import { describe, expect, it } from 'vitest';
import type { GroupDiff } from '../services/differ/groupDiff';
import { formatDiff } from './formatDiff';
import { wantsColour } from './wantsColour';

const group = (name: string, change: Partial<GroupDiff> = {}): GroupDiff => ({
  name,
  change: 'modified',
  from: null,
  updateType: 'dense',
  dtype: 'float32',
  shape: [1000, 1000],
  before: null,
  elements: 1_000_000,
  difference: { changed: 10_000, norm: 1.25, notFinite: 0 },
  error: null,
  ...change,
});
const header = { before: 'a/m.pt', after: 'b/m.pt', lines: [] };
const noteOf = (change: Partial<GroupDiff>) =>
  formatDiff(header, { groups: [group('w', change)], unchanged: 0, notes: [] }, false)
    .split('\n')[1]
    ?.replace(/^MODIFIED {2}w {2}dense {2}\S+ {2}[\d ×]+ {2}/, '');

describe('formatDiff', () => {
  it.each([
    ['‖Δ‖ 1.250, 1.00 % of the elements', {}],
    ['‖Δ‖ 1.000e-9, 1 of 1\u202f000\u202f000 elements', { difference: { changed: 1, norm: 1e-9, notFinite: 0 } }],
    ['‖Δ‖ 0, 50.0 % of the elements', { difference: { changed: 500_000, norm: 0, notFinite: 0 } }],
    ['‖Δ‖ 2.000, all elements, 3 to or from NaN or infinity', { difference: { changed: 1_000_000, norm: 2, notFinite: 3 } }],
    ['same value, stored anew', { difference: { changed: 0, norm: 0, notFinite: 0 } }],
    ['was float64', { before: { dtype: 'float64', shape: [1000, 1000] }, difference: null }],
    ['was 10', { before: { dtype: 'float32', shape: [10] }, difference: null }],
    ['was int8, scalar', { before: { dtype: 'int8', shape: [] }, difference: null }],
    ['cannot be read: Gone.', { error: { code: 'missing-object', message: 'Gone.' }, difference: null }],
  ] as const)('says %s', (text, change) => expect(noteOf(change)).toBe(text));

  it('names both names of a renamed group', () => {
    const groups = [group('conv1.weight', { change: 'renamed', from: 'onnx::Conv_32', difference: null }), group('w')];
    const lines = formatDiff(header, { groups, unchanged: 3, notes: [] }, true).split('\n');
    expect(lines[1]).toBe('\u001b[36mRENAMED   onnx::Conv_32 -> conv1.weight  dense  float32  1000 × 1000\u001b[m');
    expect(lines.at(-2)).toBe('1 renamed, 1 modified, 3 unchanged');
  });

  it('aligns the groups under a header, colours whole lines, and ends with a sum', () => {
    const groups = [group('a', { change: 'added', difference: null, updateType: 'sparse' }), group('long.name', { change: 'removed', difference: null })];
    const diff = { groups, unchanged: 3, notes: ['w: broken\u001b'] };
    expect(formatDiff({ ...header, lines: ['new file'] }, diff, false).split('\n')).toEqual([
      'diff --theta a/m.pt b/m.pt',
      'new file',
      'ADDED    a          sparse  float32  1000 × 1000',
      'REMOVED  long.name  dense   float32  1000 × 1000',
      'w: broken^[',
      '1 added, 1 removed, 3 unchanged',
      '',
    ]);
    const lines = formatDiff(header, diff, true).split('\n');
    expect(lines[0]).toBe('\u001b[1mdiff --theta a/m.pt b/m.pt\u001b[m');
    expect(lines[1]).toBe('\u001b[32mADDED    a          sparse  float32  1000 × 1000\u001b[m');
    expect(lines[2]).toBe('\u001b[31mREMOVED  long.name  dense   float32  1000 × 1000\u001b[m');
  });
});

describe('wantsColour', () => {
  const ask = (settings: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv, terminal: boolean) => {
    const git = { config: (key: string) => Promise.resolve(settings[key] ?? null) };
    return wantsColour({ repository: { git }, environment, terminal });
  };

  it.each([
    [true, {}, {}, true],
    [false, {}, {}, false],
    [true, {}, { GIT_PAGER_IN_USE: 'true' }, false],
    [false, { 'color.pager': 'false' }, { GIT_PAGER_IN_USE: 'true' }, false],
    [false, {}, { NO_COLOR: '1' }, true],
    [true, {}, { NO_COLOR: '' }, true],
    [false, {}, { TERM: 'dumb' }, true],
    [true, { 'color.diff': 'always' }, { NO_COLOR: '1' }, false],
    [false, { 'color.diff': 'false', 'color.ui': 'always' }, {}, true],
    [false, { 'color.ui': 'never' }, {}, true],
    [true, { 'color.ui': 'always' }, {}, false],
  ] as const)('%s with %j, %j, terminal: %s', async (wanted, settings, environment, terminal) => {
    expect(await ask(settings, environment, terminal)).toBe(wanted);
  });

  it('outside of a repository asks the environment only', async () => {
    expect(await wantsColour({ repository: null, environment: {}, terminal: true })).toBe(true);
  });
});
