import { describe, expect, it } from 'vitest';
import { type ExportTable, writeCsv, writeJson } from './tableText';

describe('writeCsv', () => {
  it('quotes as RFC 4180 says', () => {
    const text = writeCsv({
      columns: ['name', 'said'],
      rows: [
        ['a,b', 'he said "x"'],
        ['line\nbreak', ' plain '],
      ],
    });
    expect(text).toBe('name,said\r\n"a,b","he said ""x"""\r\n"line\nbreak", plain \r\n');
  });

  it('keeps every digit of a number, signs, what is none, and leaves out what is not there', () => {
    const rows = [[0.1 + 0.2, -1.5e-300, -0, Number.NaN, Number.NEGATIVE_INFINITY, true, null]] as const;
    expect(writeCsv({ columns: [], rows })).toBe('\r\n0.30000000000000004,-1.5e-300,-0,NaN,-Infinity,true,\r\n');
  });

  it('lets no name run as a formula, but leaves numbers in text alone', () => {
    const rows = [['=1+1'], ['@x'], ['-w'], ['-1.5'], ['+3e-7'], ['-Infinity'], ['-0.0'], ['+SUM(A1)'], ['−1']];
    expect(
      writeCsv({ columns: ['n'], rows })
        .split('\r\n')
        .slice(1, -1),
    ).toEqual(["'=1+1", "'@x", "'-w", '-1.5', '+3e-7', '-Infinity', '-0.0', "'+SUM(A1)", '−1']);
  });
});

describe('writeJson', () => {
  it('is read back as the same values', () => {
    const table: ExportTable = {
      columns: ['name', 'max', '__proto__'],
      rows: [
        ['a"b\u2028', 1e-8, null],
        ['שלום', 3, false],
      ],
    };
    const back: unknown = JSON.parse(writeJson(table));
    expect(back).toHaveLength(2);
    expect(JSON.stringify(back)).toBe('[{"name":"a\\"b\u2028","max":1e-8,"__proto__":null},{"name":"שלום","max":3,"__proto__":false}]');
  });

  it('has text for what JSON has no number for, and an empty list for no rows', () => {
    expect(JSON.parse(writeJson({ columns: ['x'], rows: [[Number.NaN], [Number.POSITIVE_INFINITY], [-0]] }))).toEqual([
      { x: 'NaN' },
      { x: 'Infinity' },
      { x: -0 },
    ]);
    expect(JSON.parse(writeJson({ columns: ['x'], rows: [] }))).toEqual([]);
  });
});
