import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../../shared/contract/errors';
import type { PickleValue } from './pickleValue';
import { readPickle } from './readPickle';

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

/** Values as plain JavaScript, for comparison; shared and circular ones by their kind. */
function plain(value: PickleValue): unknown {
  switch (value.kind) {
    case 'none':
      return null;
    case 'bool':
    case 'int':
    case 'long':
    case 'float':
    case 'string':
      return value.value;
    case 'bytes':
      return [...value.value];
    case 'tuple':
    case 'list':
    case 'set':
    case 'frozenset':
      return { [value.kind]: value.items.map(plain) };
    case 'dict':
      return { dict: value.entries.map(([key, item]) => [plain(key), plain(item)]) };
    case 'global':
      return `${value.module}:${value.name}`;
    case 'persistent':
      return { persistent: plain(value.id) };
    case 'object':
      return {
        [value.made]: plain(value.callable),
        args: value.args.items.map(plain),
        ...(value.items.length > 0 && { items: value.items.map(plain) }),
        ...(value.entries.length > 0 && { entries: value.entries.map(([key, item]) => [plain(key), plain(item)]) }),
        ...(value.state !== null && { state: plain(value.state) }),
      };
  }
}

// What CPython 3.11 gives for pickle.dumps(value, protocol), and the value.
const VALUE = {
  dict: [
    ['a', { list: [1, -1, 255, 65_535, -2_147_483_648, 1n << 70n, -(1n << 70n), 0.1, null, true, false, 'é'] }],
    [{ tuple: [] }, { tuple: [1] }],
    [{ tuple: [1, 2, 3, 4] }, 'x'],
  ],
};
const DUMPS: readonly (readonly [protocol: number, base64: string])[] = [
  [
    0,
    'KGRwMApWYQpwMQoobHAyCkkxCmFJLTEKYUkyNTUKYUk2NTUzNQphSS0yMTQ3NDgzNjQ4CmFMMTE4MDU5MTYyMDcxNzQxMTMwMzQyNEwKYUwtMTE4MDU5MTYyMDcxNzQxMTMwMzQyNEwKYUYwLjEKYU5hSTAxCmFJMDAKYVbpCnAzCmFzKHQoSTEKdHA0CnMoSTEKSTIKSTMKSTQKdHA1ClZ4CnA2CnMu',
  ],
  [
    1,
    'fXEAKFgBAAAAYXEBXXECKEsBSv////9L/03//0oAAACATDExODA1OTE2MjA3MTc0MTEzMDM0MjRMCkwtMTE4MDU5MTYyMDcxNzQxMTMwMzQyNEwKRz+5mZmZmZmaTkkwMQpJMDAKWAIAAADDqXEDZSkoSwF0cQQoSwFLAksDSwR0cQVYAQAAAHhxBnUu',
  ],
  [2, 'gAJ9cQAoWAEAAABhcQFdcQIoSwFK/////0v/Tf//SgAAAICKCQAAAAAAAAAAQIoJAAAAAAAAAADARz+5mZmZmZmaToiJWAIAAADDqXEDZSlLAYVxBChLAUsCSwNLBHRxBVgBAAAAeHEGdS4='],
  [3, 'gAN9cQAoWAEAAABhcQFdcQIoSwFK/////0v/Tf//SgAAAICKCQAAAAAAAAAAQIoJAAAAAAAAAADARz+5mZmZmZmaToiJWAIAAADDqXEDZSlLAYVxBChLAUsCSwNLBHRxBVgBAAAAeHEGdS4='],
  [4, 'gASVWQAAAAAAAAB9lCiMAWGUXZQoSwFK/////0v/Tf//SgAAAICKCQAAAAAAAAAAQIoJAAAAAAAAAADARz+5mZmZmZmaToiJjALDqZRlKUsBhZQoSwFLAksDSwR0lIwBeJR1Lg=='],
  [5, 'gAWVWQAAAAAAAAB9lCiMAWGUXZQoSwFK/////0v/Tf//SgAAAICKCQAAAAAAAAAAQIoJAAAAAAAAAADARz+5mZmZmZmaToiJjALDqZRlKUsBhZQoSwFLAksDSwR0lIwBeJR1Lg=='],
];

const SETS: readonly (readonly [protocol: number, base64: string])[] = [
  [
    3,
    'gAMoY2J1aWx0aW5zCnNldApxAF1xAUsHYYVxAlJxA2NidWlsdGlucwpmcm96ZW5zZXQKcQRdcQVLCGGFcQZScQdDAgD/cQhjdHlwZXMKU2ltcGxlTmFtZXNwYWNlCnEJKVJxCn1xC1gBAAAAeHEMSwFzYnRxDS4=',
  ],
  [4, 'gASVPQAAAAAAAAAoj5QoSweQKEsIkZRDAgD/lIwFdHlwZXOUjA9TaW1wbGVOYW1lc3BhY2WUk5QpUpR9lIwBeJRLAXNidJQu'],
];

describe('readPickle', () => {
  it.each(DUMPS)('reads what Python writes with protocol %i', (_, base64) => {
    const bytes = Buffer.from(base64, 'base64');
    const result = readPickle(bytes);
    expect(plain(result.value)).toEqual(VALUE);
    expect(result.end).toBe(bytes.byteLength);
  });

  it.each(SETS)('reads sets, bytes and objects of protocol %i', (protocol, base64) => {
    const value = plain(readPickle(Buffer.from(base64, 'base64')).value);
    if (protocol === 4)
      expect(value).toEqual({ tuple: [{ set: [7] }, { frozenset: [8] }, [0, 255], { call: 'types:SimpleNamespace', args: [], state: { dict: [['x', 1]] } }] });
    else
      expect(value).toEqual({
        tuple: [
          { call: 'builtins:set', args: [{ list: [7] }] },
          { call: 'builtins:frozenset', args: [{ list: [8] }] },
          [0, 255],
          { call: 'types:SimpleNamespace', args: [], state: { dict: [['x', 1]] } },
        ],
      });
  });

  it('calls nothing and names what would have been called', () => {
    expect(plain(readPickle(latin1("cos\nsystem\n(S'touch pwned'\ntR.")).value)).toEqual({ call: 'os:system', args: ['touch pwned'] });
    expect(plain(readPickle(latin1('(ios\nsystem\n.')).value)).toEqual({ new: 'os:system', args: [] });
    expect(plain(readPickle(latin1('(cos\nsystem\nI1\no.')).value)).toEqual({ new: 'os:system', args: [1] });
  });

  it('keeps shared values shared and circular ones circular', () => {
    const { value } = readPickle(latin1('\x80\x02]q\x00h\x00a.'));
    expect(value.kind === 'list' && value.items[0] === value).toBe(true);
  });

  it('collects persistent references, also those that are dropped', () => {
    const { value, persistent } = readPickle(latin1('Pone\n0K\x05Q.'));
    expect(plain(value)).toEqual({ persistent: 5 });
    expect(persistent.map(({ id }) => plain(id))).toEqual(['one', 5]);
  });

  it('reads one of several pickles and gives offsets in the file', () => {
    const bytes = latin1('K\x01.K\x02.K');
    const first = readPickle(bytes);
    const second = readPickle(bytes, { start: first.end });
    expect([plain(first.value), plain(second.value), second.end]).toEqual([1, 2, 6]);
    expect(failure(bytes, { start: 6, base: 1000 })).toEqual(['truncated', 1007]);
  });

  it.each([
    ['no end', 'K\x01', 'truncated'],
    ['nothing', '', 'truncated'],
    ['end on an empty stack', '.', 'malformed'],
    ['values left over', 'K\x01K\x02.', 'malformed'],
    ['a mark left over', '(K\x01.', 'malformed'],
    ['an unknown instruction', '\xff.', 'malformed'],
    ['a registered extension', '\x82\x01.', 'malformed'],
    ['an out-of-band buffer', '\x97.', 'malformed'],
    ['protocol 6', '\x80\x06N.', 'unsupported-format'],
    ['a memo that was not set', 'h\x00.', 'malformed'],
    ['text longer than the file', 'X\xff\xff\xff\xffabc.', 'truncated'],
    ['text of 2^63 bytes', '\x8d\x00\x00\x00\x00\x00\x00\x00\x80abc.', 'truncated'],
    ['bytes of 2^64 - 1', '\x8e\xff\xff\xff\xff\xff\xff\xff\xff.', 'truncated'],
    ['a frame longer than the file', '\x95\xff\x00\x00\x00\x00\x00\x00\x00N.', 'truncated'],
    ['an integer longer than the file', '\x8b\xff\xff\xff\x7f.', 'truncated'],
    ['an integer of negative length', '\x8b\xff\xff\xff\xff.', 'malformed'],
    ['an integer of 2000 bytes', `\x8b\xd0\x07\x00\x00${'\x01'.repeat(2000)}.`, 'too-large'],
    ['an integer of 10000 digits', `L${'9'.repeat(10_000)}L\n.`, 'too-large'],
    ['a key without a value', '}(K\x01u.', 'malformed'],
    ['appending to a number', 'K\x01K\x02a.', 'malformed'],
    ['setting a key of a list', ']K\x01K\x02s.', 'malformed'],
    ['a call without a tuple', 'cos\nsystem\nK\x01R.', 'malformed'],
    ['a state for a number', 'K\x01K\x02b.', 'malformed'],
    ['a class named by a number', 'K\x01K\x02\x93.', 'malformed'],
    ['a value taken from below a mark', 'K\x01(\x85.', 'malformed'],
    ['closing a mark that is not there', 'K\x01t.', 'malformed'],
  ])('refuses %s', (_, text, code) => {
    expect(failure(latin1(text))[0]).toBe(code);
  });

  it('ends on a pickle of millions of instructions', () => {
    expect(failure(new Uint8Array(5_000_000).fill(0x7d))[0]).toBe('too-large');
  });

  it('does not recurse with the depth', () => {
    const depth = 200_000;
    const { value } = readPickle(latin1(`${']'.repeat(depth)}${'a'.repeat(depth - 1)}.`));
    expect(value.kind).toBe('list');
  });
});

function failure(bytes: Uint8Array, options = {}): readonly [code: string, offset: number | undefined] {
  try {
    readPickle(bytes, options);
  } catch (error) {
    return isCheckpointError(error) ? [error.code, error.place.offset] : [String(error), undefined];
  }
  return ['none', undefined];
}
