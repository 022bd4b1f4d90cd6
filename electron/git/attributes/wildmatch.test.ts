import { describe, expect, it } from 'vitest';
import { compileWildPattern } from './wildmatch';

describe('compileWildPattern', () => {
  // From the rules of gitignore(5), "PATTERN FORMAT".
  it.each([
    ['foo/*', 'foo/test.json', true],
    ['foo/*', 'foo/bar/hello.c', false],
    ['**/foo', 'foo', true],
    ['**/foo', 'a/b/foo', true],
    ['**/foo', 'afoo', false],
    ['abc/**', 'abc/x/y', true],
    ['abc/**', 'abc', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'axb', false],
    ['a**b', 'axxb', true],
    ['a**b', 'a/b', false],
    ['?', 'ab', false],
    ['a?c', 'a/c', false],
    ['[!a]', 'b', true],
    ['[!a]', '/', false],
    ['[]-]', ']', true],
    ['[a-]', '-', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['*.pt', '.pt', true],
    ['', '', true],
  ])('%j and %j: %s', (pattern, text, expected) => {
    expect(compileWildPattern(pattern)?.matches(text)).toBe(expected);
  });

  it.each(['[abc', 'x\\', '[[:nope:]]'])('makes nothing of %j', (pattern) => {
    expect(compileWildPattern(pattern)).toBeNull();
  });

  it('takes patterns made to run for ever', () => {
    const stars = compileWildPattern(`${'*a'.repeat(500)}b`);
    expect(stars?.matches('a'.repeat(2000))).toBe(false);
    const folders = compileWildPattern(`${'**/'.repeat(500)}b`);
    expect(folders?.matches('a/'.repeat(1000))).toBe(false);
  });
});
