import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../shared/contract/errors';
import { looksLikeMetadata } from './looksLikeMetadata';
import { parseMetadata } from './parseMetadata';

const vectors = new URL('../../e2e/fixtures/vectors/merge/', import.meta.url);
const encode = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const oid = 'ab'.repeat(32);
const entry = (change: { tensor?: object; lfs?: unknown; theta?: object } = {}) => ({
  tensor_metadata: { shape: '(3,)', dtype: 'float32', hash: new Array(16).fill(1), ...change.tensor },
  lfs_metadata: 'lfs' in change ? change.lfs : { version: 'https://git-lfs.github.com/spec/v1', oid, size: '261' },
  theta_metadata: { update_type: 'dense', last_commit: null, ...change.theta },
});

function failure(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (isCheckpointError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('parseMetadata', () => {
  it('reads a file that git-theta wrote', () => {
    const bytes = readFileSync(new URL('current.json', vectors));
    const raw = v.parse(v.record(v.string(), v.unknown()), JSON.parse(bytes.toString()));
    const metadata = parseMetadata(bytes, 'current.json');
    expect([...metadata.entries.keys()]).toEqual(Object.keys(raw));
    expect(metadata.broken).toEqual([]);
    expect(looksLikeMetadata(bytes, false)).toBe(true);
  });

  it.each(['average-all_0.2_0.3.json', 'average-ours-theirs_alpha0.3.json'])('reads %s, whose pointers git-theta itself cannot read back', (name) => {
    const metadata = parseMetadata(readFileSync(new URL(name, vectors)), name);
    expect(metadata.broken).toEqual([]);
    expect(metadata.entries.size).toBeGreaterThan(3);
  });

  it('keeps 64-bit signatures and nested keys', () => {
    const text = JSON.stringify({ params: { dense: { kernel: entry({ tensor: { hash: ['X', ...new Array(15).fill(0)] } }) } } }).replace(
      '"X"',
      '-9223372036854775808',
    );
    const kernel = parseMetadata(encode(text), 'm').entries.get('params/dense/kernel');
    expect(kernel?.keys).toEqual(['params', 'dense', 'kernel']);
    expect(kernel?.signature?.[0]).toBe(-9223372036854775808n);
  });

  it('takes names that are dangerous in JavaScript objects', () => {
    const text = `{"__proto__": ${JSON.stringify(entry())}, "constructor": ${JSON.stringify(entry())}}`;
    expect([...parseMetadata(encode(text), 'm').entries.keys()]).toEqual(['__proto__', 'constructor']);
  });

  it('ignores extra keys beside the three and empty dictionaries, as git-theta does', () => {
    const metadata = parseMetadata(encode({ a: { ...entry(), extra: 1 }, empty: { deeper: {} } }), 'm');
    expect([...metadata.entries.keys()]).toEqual(['a']);
    expect(metadata.broken).toEqual([]);
  });

  it.each([
    ['a shape', entry({ tensor: { shape: '(3' } })],
    ['a number for a tuple', entry({ tensor: { shape: '(3)' } })],
    ['a huge shape', entry({ tensor: { shape: '(9007199254740991, 9007199254740991)' } })],
    ['a shape with more bytes than 2^53', entry({ tensor: { shape: '(9007199254740991,)' } })],
    ['a shape of more axes than NumPy has', entry({ tensor: { shape: `(${'1, '.repeat(64)}1)` } })],
    ['a shape of a hundred kilobytes', entry({ tensor: { shape: `(1${' '.repeat(100_000)}x` } })],
    ['a dtype', entry({ tensor: { dtype: 'float31' } })],
    ['a path for an oid', entry({ lfs: { oid: '../../../../etc/passwd', size: '1' } })],
    ['a size', entry({ lfs: { oid, size: '-1' } })],
    ['a pointer', entry({ lfs: null })],
    ['a commit', entry({ theta: { last_commit: '--help' } })],
    ['an update type', entry({ theta: { update_type: 3 } })],
    ['a text', 'text'],
  ])('names the group where %s is wrong and still gives the others', (_what, wrong) => {
    const metadata = parseMetadata(encode({ bad: wrong, good: entry() }), 'm.pt');
    expect([...metadata.entries.keys()]).toEqual(['good']);
    expect(metadata.broken).toMatchObject([{ name: 'bad', error: { code: 'malformed', place: { file: 'm.pt', group: 'bad' } } }]);
  });

  it('refuses a small file whose names would take gigabytes', () => {
    const leaves = Array.from({ length: 50_000 }, (_, i) => `"${i}":0`).join();
    const text = `${'{"k":'.repeat(900)}{${leaves}}${'}'.repeat(900)}`;
    expect(failure(() => parseMetadata(encode(text), 'm.pt'))).toMatchObject({ code: 'too-large', place: { file: 'm.pt' } });
  });

  it('refuses a number of a million digits', () => {
    const text = JSON.stringify({ a: entry({ tensor: { hash: ['X'] } }) }).replace('"X"', '7'.repeat(1_000_000));
    expect(failure(() => parseMetadata(encode(text), 'm.pt')).code).toBe('malformed');
  });

  it('says so when a text merge left its markers', () => {
    const error = failure(() => parseMetadata(encode('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> b\n}'), 'm.pt'));
    expect(error).toMatchObject({ code: 'conflict', place: { file: 'm.pt', offset: 2 } });
  });

  it.each(['[]', '3', '', '{"a": ', '\xff\xfe'])('refuses %j', (text) => {
    const error = failure(() => parseMetadata(text.charCodeAt(0) > 127 ? Uint8Array.of(0xff, 0xfe) : encode(text), 'm.pt'));
    expect(error.code).toBe('malformed');
  });
});
