import { describe, expect, it } from 'vitest';
import { formatMapping, MAPPING_FORMATS, type MappingEntry, parseMapping } from './mapping';

const short = (entries: readonly MappingEntry[]) => entries.map(({ graph, name, to, line }) => [graph, name, to, line]);

describe('a mapping in JSON', () => {
  it('keeps order, lines, names that objects cannot hold, and graphs', () => {
    const text = '\uFEFF{\r\n  "10": "b",\n\n "2": "\\u00e9 \\"q\\"", "__proto__": "p",\n  "#0.body": {\n "x": "y" }\n}\n';
    expect(short(parseMapping(text, 'json'))).toEqual([
      [null, '10', 'b', 2],
      [null, '2', 'é "q"', 4],
      [null, '__proto__', 'p', 4],
      ['#0.body', 'x', 'y', 6],
    ]);
    expect(parseMapping('{}', 'json')).toEqual([]);
    expect(short(parseMapping('{"a\\\\": "b\\\\\\""}', 'json'))).toEqual([[null, 'a\\', 'b\\"', 1]]);
  });

  it.each([
    ['{"a": "b",\n "a": "c"}', 'Line 2 of the mapping: "a" has a new name in line 1 already.'],
    ['{"a": 1}', 'Line 1 of the mapping: there should be a new name, not "1".'],
    ['{"a": "b"', 'Line 1 of the mapping: there should be "}", not the end of the file.'],
    ['{"a": "b"\n"c": "d"}', 'Line 2 of the mapping: there should be "}", not "\\"".'],
    ['["a"]', 'Line 1 of the mapping: there should be "{", not "[".'],
    ['{"a": "b}', 'Line 1 of the mapping: a text in quotes is not closed, or holds what JSON does not allow there.'],
    ['{\n"a": "\\x"}', 'Line 2 of the mapping: a text in quotes is not closed, or holds what JSON does not allow there.'],
    ['{"a": "b"} x', 'Line 1 of the mapping: there should be the end of the file, not "x".'],
    ['{"g": {"a": {"b": "c"}}}', 'Line 1 of the mapping: there should be a new name, not "{".'],
    ['', 'Line 1 of the mapping: there should be "{", not the end of the file.'],
  ])('%j: %s', (text, words) => {
    expect(() => parseMapping(text, 'json')).toThrow(words);
  });
});

describe('a mapping in CSV', () => {
  it.each<[string, unknown[]]>([
    [
      'a,b\nc,d\n',
      [
        [null, 'a', 'b', 1],
        [null, 'c', 'd', 2],
      ],
    ],
    [
      '\uFEFFOld,New\r\na,b\r\n\r\nc,d',
      [
        [null, 'a', 'b', 2],
        [null, 'c', 'd', 4],
      ],
    ],
    [
      'old,new,graph\na,b,\nc,d,#0.body\ne,f\n',
      [
        ['', 'a', 'b', 2],
        ['#0.body', 'c', 'd', 3],
        [null, 'e', 'f', 4],
      ],
    ],
    [
      '"a,1","b ""2"""\n"two\nlines",x\nz,y',
      [
        [null, 'a,1', 'b "2"', 1],
        [null, 'two\nlines', 'x', 2],
        [null, 'z', 'y', 4],
      ],
    ],
    [' a , b ', [[null, ' a ', ' b ', 1]]],
    [
      'a,b\rc,d',
      [
        [null, 'a', 'b', 1],
        [null, 'c', 'd', 2],
      ],
    ],
    ['', []],
  ])('%j', (text, expected) => {
    expect(short(parseMapping(text, 'csv'))).toEqual(expected);
  });

  it.each([
    ['a,b\nc', 'Line 2 of the mapping: one column, but the old and the new name are two: "c".'],
    ['a;b', 'Line 1 of the mapping: one column, but the old and the new name are two: "a;b". Columns are parted by commas.'],
    ['a,b,c,d', 'Line 1 of the mapping: 4 columns; names with commas stand in quotes.'],
    ['x,y\n,b', 'Line 2 of the mapping: the old name is empty.'],
    ['a,', 'Line 1 of the mapping: the new name of "a" is empty.'],
    ['a,b\nc,"d', 'Line 2 of the mapping: a quote is not closed.'],
    ['a,b"c', 'Line 1 of the mapping: a quote inside a name'],
    ['"a"b,c', 'Line 1 of the mapping: text behind the closing quote of a name.'],
    ['a,b\n"x\ny",c\na,d', 'Line 4 of the mapping: "a" has a new name in line 1 already.'],
  ])('%j: %s', (text, words) => {
    expect(() => parseMapping(text, 'csv')).toThrow(words);
  });
});

describe('formatMapping', () => {
  it.each(MAPPING_FORMATS)('writes %s that reads back the same, and JSON that JSON.parse reads', (format) => {
    const entries = [
      { graph: null, name: '10', to: 'a,b "c"' },
      { graph: null, name: '2', to: 'two\r\nlines' },
      { graph: null, name: 'old', to: 'new' },
      { graph: '#0.body', name: ' x', to: 'é' },
      { graph: '', name: '__proto__', to: '\\' },
    ];
    const read = parseMapping(formatMapping(entries, format), format);
    expect(read.map(({ line: _, ...entry }) => entry)).toEqual(entries);
    expect(parseMapping(formatMapping([], format), format)).toEqual([]);
  });

  it('is JSON as others read it', () => {
    expect(
      JSON.parse(
        formatMapping(
          [
            { graph: null, name: 'a', to: 'b' },
            { graph: '#0.body', name: 'c', to: 'd' },
          ],
          'json',
        ),
      ),
    ).toEqual({ a: 'b', '#0.body': { c: 'd' } });
  });
});
