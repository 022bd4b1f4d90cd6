import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../../shared/contract/errors';
import { isJsonObject, type JsonValue, parseJson } from './parseJson';

/** What JSON.parse gives, as an independent answer for everything that it can hold. */
function plain(value: JsonValue): unknown {
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  return value;
}

describe('parseJson', () => {
  it.each([
    '{}',
    '[]',
    ' { "a" : [ 1 , -2.5e3 , true , false , null , "x\\u00e9\\n\\"" ] } ',
    '[[],[[]],{"a":{}}]',
    '"text"',
    '0',
    '-0.5',
    '{"a":{"b":{"c":[{"d":1}]}}}',
    '[1e5, 1E-5, 123456789]',
  ])('agrees with JSON.parse on %s', (text) => {
    expect(plain(parseJson(text, 'f'))).toEqual(JSON.parse(text));
  });

  it('keeps 64-bit integers', () => {
    expect(parseJson('[-9223372036854775808, 9007199254740993, 12]', 'f')).toEqual([-9223372036854775808n, 9007199254740993n, 12]);
  });

  it('takes dangerous names as names', () => {
    const value = parseJson('{"__proto__": 1, "constructor": 2}', 'f');
    expect(isJsonObject(value) && [...value]).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });

  it.each([
    '',
    '{',
    '[',
    '{"a"}',
    '{"a":}',
    '[1,]',
    '{"a":1,}',
    '{"a":1,"a":2}',
    '01',
    '+1',
    '.5',
    '1.',
    'tru',
    '"\\x"',
    '"a\nb"',
    '"open',
    '[1] 2',
    '{a:1}',
    "{'a':1}",
    '[NaN]',
    '<<<<<<< HEAD\n{}',
    '"\\ud83',
    '['.repeat(1001),
    '{"a":'.repeat(5000),
  ])('refuses %j', (text) => {
    let thrown: unknown;
    try {
      parseJson(text, 'some.json');
    } catch (error) {
      thrown = error;
    }
    if (!isCheckpointError(thrown, 'malformed')) throw new Error(`not refused as malformed: ${String(thrown)}`);
    expect(thrown.place.file).toBe('some.json');
    expect(thrown.place.offset).toBeLessThanOrEqual(text.length);
  });
});
