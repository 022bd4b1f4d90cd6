import { describe, expect, it } from 'vitest';
import { parseNamePattern } from './namePattern';

const NAMES = ['encoder.layers.0.attn.weight', 'encoder.layers.10.attn.bias', 'decoder/layers/0/mlp/weight', 'lm_head.weight', 'a[0].w', 'מודל.וזן'];

describe('parseNamePattern', () => {
  it.each([
    ['', NAMES],
    ['  ', NAMES],
    ['ATTN', [NAMES[0], NAMES[1]]],
    ['weight encoder', [NAMES[0]]],
    ['*.weight', ['lm_head.weight']],
    ['**weight', [NAMES[0], NAMES[2], NAMES[3]]],
    ['encoder.layers.?.attn.*', [NAMES[0]]],
    ['decoder/*/0/**', [NAMES[2]]],
    ['a[0].?', ['a[0].w']],
    ['/layers.(0|1)\\b.*weight$/', [NAMES[0], NAMES[2]]],
    ['וזן', ['מודל.וזן']],
  ])('%j', (text, expected) => {
    const pattern = parseNamePattern(text);
    expect(pattern.problem).toBeNull();
    expect(NAMES.filter(pattern.fits)).toEqual(expected);
  });

  it('says what is wrong with an expression, and hides nothing meanwhile', () => {
    const pattern = parseNamePattern('/(/');
    expect(pattern.problem).toContain('(');
    expect(NAMES.filter(pattern.fits)).toEqual(NAMES);
  });

  it('takes a lone slash for text', () => {
    expect(NAMES.filter(parseNamePattern('/').fits)).toEqual([NAMES[2]]);
  });
});
