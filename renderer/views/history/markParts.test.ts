import { expect, it } from 'vitest';
import { markParts } from './markParts';

it.each<[string, string, string]>([
  ['Train the head', 'the', 'Train [the] head'],
  ['Head over head', 'HEAD', '[Head] over [head]'],
  ['aaa', 'aa', '[aa]a'],
  ['no', 'x', 'no'],
  ['', 'x', ''],
  ['all', '  ', 'all'],
  ['İstanbul i', 'i', 'İstanbul i'],
  ['a.b(c', '.b(', 'a[.b(]c'],
])('%j searched for %j', (text, searched, expected) => {
  const parts = markParts(text, searched);
  expect(parts.map((part) => (part.isMatch ? `[${part.text}]` : part.text)).join('')).toBe(expected);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});
