/**
 * What is wrong with the name of a new branch or tag, in a sentence; `null` when nothing is. The rules are those of `git check-ref-format`.
 * @param existing names of the same kind that are there
 */
export function refNameProblem(name: string, existing: readonly string[] = []): string | null {
  if (name === '') return 'Give it a name.';
  if (name.length > 250) return 'This name is too long.';
  if (/\s/.test(name)) return 'A name has no spaces.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses these
  if (/[\u0000-\u001f\u007f~^:?*[\\]/.test(name)) return 'A name has none of the signs ~ ^ : ? * [ \\.';
  if (name.startsWith('-')) return 'A name does not begin with a hyphen.';
  if (name === '@' || name === 'HEAD') return `“${name}” already means something else in git.`;
  if (name.includes('..') || name.includes('@{')) return 'A name has neither “..” nor “@{”.';
  if (name.endsWith('.')) return 'A name does not end with a dot.';
  const parts = name.split('/');
  if (parts.some((part) => part === '')) return 'Slashes stand between parts of a name only.';
  if (parts.some((part) => part.startsWith('.') || part.toLowerCase().endsWith('.lock'))) return 'No part of a name begins with a dot or ends with “.lock”.';
  if (existing.includes(name)) return `“${name}” is there already.`;
  const inTheWay = existing.find((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
  return inTheWay === undefined ? null : `Git cannot keep it beside “${inTheWay}”: one would be a folder of the other.`;
}
