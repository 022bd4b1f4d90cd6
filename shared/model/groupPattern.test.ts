import { describe, expect, it } from 'vitest';
import { parseGroupPattern } from './groupPattern';

const NAMES = ['fc1.weight', 'fc1.bias', 'fc10.weight', 'encoder/layers/3/w', 'encoder.layers.3.w', 'a.*', 'x+y\nz'];
function meant(text: string): string[] | string {
  const pattern = parseGroupPattern(text);
  return typeof pattern === 'string' ? pattern : NAMES.filter(pattern);
}

describe('parseGroupPattern', () => {
  it('takes a name, or a module with all in it', () => {
    expect(meant('fc1')).toEqual(['fc1.weight', 'fc1.bias']);
    expect(meant('fc1.')).toEqual(['fc1.weight', 'fc1.bias']);
    expect(meant('fc1.bias')).toEqual(['fc1.bias']);
    expect(meant('encoder')).toEqual(['encoder/layers/3/w', 'encoder.layers.3.w']);
    expect(meant('enc')).toEqual([]);
  });

  it('takes globs of the whole name', () => {
    expect(meant('*.weight')).toEqual(['fc1.weight', 'fc10.weight']);
    expect(meant('fc?.weight')).toEqual(['fc1.weight']);
    expect(meant('*')).toEqual(NAMES);
    expect(meant('a.*')).toEqual(['a.*']);
    expect(meant('x+?*')).toEqual(['x+y\nz']);
  });

  it('takes regular expressions, and says when one is none', () => {
    expect(meant('/^fc\\d+/')).toEqual(['fc1.weight', 'fc1.bias', 'fc10.weight']);
    expect(meant('/(/')).toBe('/(/ is no regular expression.');
    expect(meant('')).toBe('A pattern must not be empty.');
  });
});
