import { describe, expect, it } from 'vitest';
import { CheckpointError } from '../../shared/contract/errors';
import { describeError, placeParts } from './describeError';
import { formatDuration, secondsLeft } from './formatDuration';
import { formatAgo } from './formatTime';
import { fuzzyMatcher } from './fuzzyMatch';
import { UPDATE_LOOK_KINDS, updateLook } from './updateLook';

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [125, '2 min 5 s'],
    [3600, '1 h'],
    [4800, '1 h 20 min'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('%s seconds are %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('secondsLeft', () => {
  it('takes the rest to go as fast as what is done', () => {
    expect(secondsLeft(25, 100, 5000)).toBe(15);
    expect(secondsLeft(100, 100, 5000)).toBe(0);
  });

  it.each([
    [0, 100, 5000],
    [10, null, 5000],
    [10, 100, 100],
    [10, 0, 5000],
    [200, 100, 5000],
  ])('tells nothing for %s of %s after %s ms', (done, total, elapsed) => {
    expect(secondsLeft(done, total, elapsed)).toBeNull();
  });
});

describe('formatAgo', () => {
  it.each([
    [30, 'just now'],
    [60, '1 minute ago'],
    [7300, '2 hours ago'],
    [90_000, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [40 * 86_400, 'last month'],
    [800 * 86_400, '2 years ago'],
    [-7300, 'in 2 hours'],
  ])('%s seconds earlier is %s', (distance, text) => {
    expect(formatAgo(1e9 - distance, 1e9)).toBe(text);
  });
});

describe('fuzzyMatcher', () => {
  const order = (query: string, texts: string[]) =>
    texts
      .map((text) => ({ text, score: fuzzyMatcher(query)(text) }))
      .filter((entry): entry is { text: string; score: number } => entry.score !== null)
      .sort((a, b) => b.score - a.score)
      .map(({ text }) => text);

  it('puts beginnings before words before parts before scattered letters', () => {
    expect(order('conv', ['c.o.n.v', 'myconvnet', 'encoder/conv/weight', 'conv/weight', 'dense'])).toEqual([
      'conv/weight',
      'encoder/conv/weight',
      'myconvnet',
      'c.o.n.v',
    ]);
  });

  it('wants every word, in any order', () => {
    expect(order('weight enc', ['encoder/weight', 'encoder/bias', 'weight'])).toEqual(['encoder/weight']);
  });

  it('matches everything with an empty query', () => {
    expect(order('  ', ['b', 'a'])).toHaveLength(2);
  });
});

describe('describeError', () => {
  const error = new CheckpointError('missing-object', 'The object is not there.', {
    place: { file: 'model.pt', offset: 1234567, group: 'a/b', commit: 'c0ffee', oid: 'ff' },
    hint: 'Fetch it.',
    detail: 'trace',
  });

  it('says everything that is known, from the outside in', () => {
    expect(describeError('Not exported', error)).toBe(
      [
        'Not exported',
        'The object is not there.',
        'File: model.pt',
        'At byte: 1\u202f234\u202f567',
        'Parameter group: a/b',
        'Commit: c0ffee',
        'Object: ff',
        'Fetch it.',
        'Code: missing-object',
        'trace',
      ].join('\n'),
    );
  });

  it('leaves out what is not known', () => {
    expect(placeParts({})).toEqual([]);
    expect(describeError('T', new CheckpointError('internal', 'M'))).toBe('T\nM\nCode: internal');
  });
});

describe('updateLook', () => {
  it('gives every kind a glyph, a shape and a hue of its own', () => {
    const looks = UPDATE_LOOK_KINDS.map(updateLook);
    expect(new Set(looks.map((look) => look.glyph)).size).toBe(looks.length);
    expect(new Set(looks.map((look) => look.path)).size).toBe(looks.length);
    expect(new Set(looks.map((look) => look.fill)).size).toBe(looks.length);
  });

  it.each(['__proto__', 'constructor', 'trimmed-sum'])('shows the unknown type %s by its name', (kind) => {
    expect(updateLook(kind)).toMatchObject({ kind: 'other', label: kind });
  });
});
