import { describe, expect, it } from 'vitest';
import { TIMELINE_KINDS } from '../../shared/model/timeline';
import { moduleChanges } from './moduleChanges';
import { parseNamePattern } from './namePattern';
import { timelineOf } from './testing/timelineSamples';
import { CELL_ABSENT, CELL_FAILED, CELL_UNCHANGED, MODULE_KINDS, readCodes, SHADES } from './timelineCodes';
import { arrangeRows, filterRows } from './timelineRows';
import { ABSENT, TimelineStates, UNCHANGED } from './timelineStates';

/**
 * 0 ─ 1 ─ 3 (merge of 2; its first parent is 1) ─ 4
 *  └─ 2 ─┘
 */
const INDEX = timelineOf({
  rows: ['m.a', 'm.b', 'n'],
  columns: [{ 'm.a': 'added', 'm.b': 'added' }, { 'm.a': 'dense' }, { 'm.b': 'sparse', n: 'added' }, { 'm.b': 'sparse', n: 'added' }, { n: 'removed' }],
  parents: [[], [0], [0], [1, 2], [3]],
});
const states = new TimelineStates(INDEX);
const kindsOf = (row: number) =>
  INDEX.columns.map((_, column) => {
    const kind = states.kindAt(row, column);
    return kind === UNCHANGED ? '.' : kind === ABSENT ? ' ' : TIMELINE_KINDS[kind];
  });

describe('TimelineStates', () => {
  it('follows first parents', () => {
    expect(kindsOf(0)).toEqual(['added', 'dense', '.', '.', '.']);
    expect(kindsOf(1)).toEqual(['added', '.', 'sparse', 'sparse', '.']);
    expect(kindsOf(2)).toEqual([' ', ' ', 'added', 'added', 'removed']);
  });

  it('gives the entry that holds the value of a cell', () => {
    expect([...states.statesOf(0)]).toEqual([0, 2, 0, 2, 2]);
  });

  it('compares values between any two commits, and a group that is gone with one that is there', () => {
    expect([states.differs(0, 1, 4), states.differs(0, 0, 2), states.differs(0, 2, 3)]).toEqual([false, false, true]);
    expect([states.differs(2, 1, 4), states.differs(2, 3, 4)]).toEqual([false, true]);
  });

  it('takes an index without columns', () => {
    const empty = new TimelineStates(timelineOf({ rows: ['a'], columns: [] }));
    expect([...empty.statesOf(0)]).toEqual([]);
  });
});

describe('filterRows', () => {
  const all = { pattern: parseNamePattern(''), kind: null, dtype: null, range: null };
  it.each([
    ['by name', { ...all, pattern: parseNamePattern('m.*') }, [0, 1]],
    ['by update', { ...all, kind: 'sparse' as const }, [1]],
    ['by type', { ...all, dtype: 'bfloat16' }, []],
    ['by change between two commits', { ...all, range: [1, 3] as const }, [1, 2]],
    ['by anything else', { ...all, isWanted: (row: number) => row === 2 }, [2]],
  ])('%s', (_, filter, expected) => {
    expect(filterRows(states, filter)).toEqual(expected);
  });
});

describe('arrangeRows', () => {
  it('knows which group stands where, in any order', () => {
    const byName = arrangeRows(states, [0, 1, 2], null);
    expect([...byName.rowAt]).toEqual([-1, 0, 1, 2]);
    expect([...byName.placeOf]).toEqual([1, 2, 3]);
    const byWeight = arrangeRows(states, [1, 2], { weightOf: (row) => row, join: 'sum' });
    expect(byWeight.tree.map((row) => row.label)).toEqual(['n', 'm.b']);
    expect([...byWeight.placeOf]).toEqual([-1, 1, 0]);
  });
});

describe('readCodes', () => {
  const rows = arrangeRows(states, [0, 1, 2], null);
  const source = { states, rows, changesOf: (place: number) => moduleChanges(states, rows, place), shadeOf: null, moduleShadeOf: () => SHADES };
  const everything = { places: Int32Array.of(0, 1, 2, 3), columns: Int32Array.of(0, 1, 2, 3, 4) };
  const code = (kind: (typeof TIMELINE_KINDS)[number]) => TIMELINE_KINDS.indexOf(kind);

  it('names what happened to groups and modules', () => {
    const codes = readCodes(everything, source);
    expect([...codes.subarray(0, 5)]).toEqual([
      MODULE_KINDS + code('added'),
      MODULE_KINDS + code('dense'),
      MODULE_KINDS + code('sparse'),
      MODULE_KINDS + code('sparse'),
      CELL_UNCHANGED,
    ]);
    expect([...codes.subarray(10, 15)]).toEqual([code('added'), CELL_UNCHANGED, code('sparse'), code('sparse'), CELL_UNCHANGED]);
    expect([...codes.subarray(15)]).toEqual([CELL_ABSENT, CELL_ABSENT, code('added'), code('added'), code('removed')]);
  });

  it('reads only the window, in its order', () => {
    expect([...readCodes({ places: Int32Array.of(3), columns: Int32Array.of(4, 1) }, source)]).toEqual([code('removed'), CELL_ABSENT]);
    expect(readCodes({ places: new Int32Array(), columns: new Int32Array() }, source)).toHaveLength(0);
  });

  it('asks for the shade of a value where it was stored, and shows nothing where nothing is left', () => {
    const shades = readCodes(everything, { ...source, shadeOf: (entry, isHere) => SHADES + entry * 2 + (isHere ? 1 : 0) });
    expect([...shades.subarray(5, 10)].map((shade) => shade - SHADES)).toEqual([1, 5, 0, 4, 4]);
    expect(shades.at(-1)).toBe(CELL_ABSENT);
  });

  it('marks versions that cannot be read', () => {
    const error = { code: 'malformed' as const, message: 'broken', place: {} };
    const broken = new TimelineStates({ ...INDEX, columns: INDEX.columns.map((column, at) => (at === 1 ? { ...column, error } : column)) });
    const codes = readCodes(everything, { ...source, states: broken });
    expect([1, 6, 11, 16].map((at) => codes[at])).toEqual([CELL_FAILED, CELL_FAILED, CELL_FAILED, CELL_FAILED]);
  });
});

describe('moduleChanges', () => {
  it('sums up what changed under a module', () => {
    const rows = arrangeRows(states, [0, 1, 2], null);
    const changes = moduleChanges(states, rows, 0);
    expect([...changes.counts]).toEqual([2, 1, 1, 1, 0]);
    expect([...changes.storedBytes]).toEqual([20, 10, 10, 10, 0]);
    expect([...changes.kinds].map((kind) => TIMELINE_KINDS[kind])).toEqual(['added', 'dense', 'sparse', 'sparse', undefined]);
  });
});
