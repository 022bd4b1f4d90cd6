import { compileWildPattern } from './wildmatch';

/** Stands for anything; no narrower pattern is likely to match it. */
const ANYTHING = 'q7-sample';

/**
 * A path that a pattern matches and narrower ones do not, to see what holds for the pattern as a whole: the path itself when the pattern
 * names just one. `null` when none is found.
 */
export function samplePath(pattern: string): string | null {
  const baseName = !pattern.includes('/');
  const glob = pattern.replace(/^\//, '');
  let path = '';
  for (let i = 0; i < glob.length; ) {
    const part = partAt(glob, i);
    const text = sampleOf(part);
    if (text === null) return null;
    path += text;
    i += part.length;
  }
  return compileWildPattern(glob)?.matches(path) === true ? `${baseName ? `${ANYTHING}/` : ''}${path}` : null;
}

function partAt(glob: string, at: number): string {
  const rest = glob.slice(at);
  // A bracket that stands first, or after the sign of negation, is a member.
  return /^(?:\\.|\*+|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]|.)/su.exec(rest)?.[0] ?? rest;
}

function sampleOf(part: string): string | null {
  if (part.startsWith('\\') && part.length > 1) return part.slice(1);
  if (part.startsWith('*')) return ANYTHING;
  if (part === '?') return 'q';
  if (!part.startsWith('[') || part.length === 1) return part;
  const pattern = compileWildPattern(part);
  for (const char of 'qzjxkvwybfghpQZJX0123456789abcdeilmnorstuABCDEFGHIKLMNOPRSTUVWY_-.~!@#$%^&()[]{},;=+') if (pattern?.matches(char)) return char;
  return null;
}
