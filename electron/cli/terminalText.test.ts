import { describe, expect, it } from 'vitest';
import { formatProgress } from './progressLine';
import { formatTable, terminalText } from './terminalText';

describe('terminalText', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '^[[31mred^[[0m'],
    ['a\nb\r\tc', 'a^Jb^M^Ic'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['\u009b31m', '\\u009b31m'],
    ['层.权重 ünïcode', '层.权重 ünïcode'],
  ])('makes %j harmless', (text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });
});

describe('formatTable', () => {
  it('aligns columns and keeps hostile cells on their line', () => {
    const table = formatTable(
      [{ title: 'name' }, { title: 'size', align: 'right' }],
      [
        ['a\nb', '1 B'],
        ['long name', '100 B'],
      ],
    );
    expect(table).toBe(['name        size', 'a^Jb         1 B', 'long name  100 B'].join('\n'));
  });

  it('lets a very long name push its own row only', () => {
    const long = 'x'.repeat(300);
    const table = formatTable(
      [{ title: 'name' }, { title: 'size' }],
      [
        [long, '1 B'],
        ['short', '2 B'],
      ],
    );
    expect(table.split('\n').map((line) => line.indexOf('B') < 90)).toEqual([true, false, true]);
    expect(table).toContain(`${long}  1 B`);
  });
});

describe('formatProgress', () => {
  it('tells share, amount and time left', () => {
    expect(formatProgress({ phase: 'Writing', done: 50e6, total: 100e6, unit: 'bytes' }, 2)).toBe(
      'Writing [===============               ] 50 % 50.0 MB of 100 MB, 2 s left',
    );
  });

  it('tells what is done where nobody knows how much there is', () => {
    expect(formatProgress({ phase: 'Searching', done: 1200, total: null, unit: 'commits' }, 2)).toBe('Searching 1\u202f200 commits');
    expect(formatProgress({ phase: 'Writing', done: 0, total: 0, unit: 'bytes' }, 0)).toBe('Writing 0 B');
  });
});
