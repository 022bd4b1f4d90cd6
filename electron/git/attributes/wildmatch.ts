/**
 * Glob patterns as git matches them (gitignore(5), wildmatch with WM_PATHNAME): `*` and `?` stop at `/`, `**` as a whole
 * component spans folders. Compiled to a small automaton that is stepped over the text: a hostile pattern costs
 * pattern length times text length, never more. Works on bytes, as git does.
 */
export interface WildPattern {
  matches(text: string): boolean;
}

type Token =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly has: (byte: number) => boolean }
  | { readonly kind: 'star' }
  /** `**` at the end: everything. */
  | { readonly kind: 'rest' }
  /** `**` and its slash: no folder or several, each with its slash. */
  | { readonly kind: 'folders' };

const SLASH = 0x2f;
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  graph: /[!-~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

/** @returns `null` for a pattern that can match nothing (unclosed `[`) */
export function compileWildPattern(pattern: string, options: { readonly ignoreCase?: boolean } = {}): WildPattern | null {
  const fold = (text: string) => (options.ignoreCase === true ? text.toLowerCase() : text);
  const tokens = tokenize(Buffer.from(fold(pattern), 'utf8'));
  return tokens === null ? null : { matches: (text) => run(tokens, Buffer.from(fold(text), 'utf8')) };
}

function tokenize(pattern: Buffer): readonly Token[] | null {
  const tokens: Token[] = [];
  let i = 0;
  while (i < pattern.length) {
    const byte = pattern[i] ?? 0;
    if (byte === 0x5c) {
      const next = pattern[i + 1];
      if (next === undefined) return null;
      tokens.push({ kind: 'byte', byte: next });
      i += 2;
    } else if (byte === 0x3f) {
      tokens.push({ kind: 'any' });
      i++;
    } else if (byte === 0x2a) {
      const start = i;
      while (pattern[i] === 0x2a) i++;
      const whole = i - start === 2 && (start === 0 || pattern[start - 1] === SLASH);
      if (whole && i === pattern.length) tokens.push({ kind: 'rest' });
      else if (whole && pattern[i] === SLASH) {
        tokens.push({ kind: 'folders' });
        i++;
      } else tokens.push({ kind: 'star' });
    } else if (byte === 0x5b) {
      const set = readClass(pattern, i);
      if (set === null) return null;
      tokens.push({ kind: 'class', has: set.has });
      i = set.next;
    } else {
      tokens.push({ kind: 'byte', byte });
      i++;
    }
  }
  return tokens;
}

function readClass(pattern: Buffer, start: number): { readonly has: (byte: number) => boolean; readonly next: number } | null {
  let i = start + 1;
  const negated = pattern[i] === 0x21 || pattern[i] === 0x5e;
  if (negated) i++;
  const members = new Set<number>();
  const first = i;
  while (i < pattern.length && (pattern[i] !== 0x5d || i === first)) {
    const named = pattern[i] === 0x5b && pattern[i + 1] === 0x3a ? /^\[:([a-z]+):\]/.exec(pattern.toString('latin1', i, i + 12)) : null;
    if (named !== null) {
      const test = NAMED[named[1] ?? ''];
      if (test === undefined) return null;
      for (let byte = 0; byte < 128; byte++) if (test.test(String.fromCharCode(byte))) members.add(byte);
      i += named[0].length;
      continue;
    }
    if (pattern[i] === 0x5c) i++;
    const from = pattern[i++];
    if (from === undefined) return null;
    let to = from;
    if (pattern[i] === 0x2d && pattern[i + 1] !== undefined && pattern[i + 1] !== 0x5d) {
      i++;
      if (pattern[i] === 0x5c) i++;
      to = pattern[i++] ?? from;
    }
    for (let byte = from; byte <= to; byte++) members.add(byte);
  }
  if (pattern[i] !== 0x5d) return null;
  return { has: (byte) => byte !== SLASH && members.has(byte) !== negated, next: i + 1 };
}

/** State 2i: before token i. State 2i+1: inside the folder names of a `folders` token, which ends only after a slash. */
function run(tokens: readonly Token[], text: Buffer): boolean {
  let states = new Set<number>();
  const enter = (into: Set<number>, index: number) => {
    let i = index;
    into.add(2 * i);
    for (let kind = tokens[i]?.kind; kind === 'star' || kind === 'rest' || kind === 'folders'; kind = tokens[i]?.kind) {
      i++;
      into.add(2 * i);
    }
  };
  enter(states, 0);
  for (const byte of text) {
    const next = new Set<number>();
    for (const state of states) {
      const i = state >> 1;
      const token = tokens[i];
      if (token === undefined) continue;
      switch (token.kind) {
        case 'byte':
          if (token.byte === byte) enter(next, i + 1);
          break;
        case 'any':
          if (byte !== SLASH) enter(next, i + 1);
          break;
        case 'class':
          if (token.has(byte)) enter(next, i + 1);
          break;
        case 'star':
          if (byte !== SLASH) enter(next, i);
          break;
        case 'rest':
          enter(next, i);
          break;
        case 'folders':
          if (byte === SLASH) enter(next, i);
          else next.add(2 * i + 1);
          break;
      }
    }
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(2 * tokens.length);
}
