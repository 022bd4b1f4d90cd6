import { compileWildPattern, type WildPattern } from './wildmatch';

/** `true` set, `false` unset, `null` back to unspecified, text a value. */
export type AttributeValue = string | boolean | null;

export interface AttributeRule {
  /** `null`: the line defines a macro. */
  readonly pattern: WildPattern | null;
  /** Whether the pattern is for the last component alone. */
  readonly baseName: boolean;
  readonly macro: string | null;
  readonly assignments: readonly (readonly [string, AttributeValue])[];
  /** Of the line in its file, from 1. */
  readonly line: number;
}

/** git reads no attributes file above 100 MiB and no line of 2048 bytes or more (attr.h). */
export const ATTRIBUTES_FILE_LIMIT = 100 * 2 ** 20;
export const LINE_LIMIT = 2048;

const NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

export function isAttributeName(name: string): boolean {
  return NAME.test(name);
}

/** Rules of an attributes file in their order (gitattributes(5)). Lines that git ignores are left out. */
export function parseAttributes(text: string, options: { readonly macros: boolean; readonly ignoreCase: boolean }): readonly AttributeRule[] {
  const rules: AttributeRule[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const rule = parseLine(line, options);
    if (rule !== null) rules.push({ ...rule, line: index + 1 });
  }
  return rules;
}

/** What a line is about and where its attributes begin. */
export interface LineHead {
  /** Pattern or macro, without quotes. */
  readonly value: string;
  /** Where the attributes begin in the line. */
  readonly end: number;
}

/** @returns `null` for a line that says nothing: empty, a comment, or too long for git */
export function parseHead(line: string): LineHead | null {
  if (Buffer.byteLength(line.replace(/\r$/, '')) >= LINE_LIMIT) return null;
  const start = /^[ \t\r]*/.exec(line)?.[0].length ?? 0;
  const text = line.slice(start);
  if (text === '' || text.startsWith('#')) return null;
  const quoted = text.startsWith('"') ? unquote(text) : null;
  if (quoted !== null) return { value: quoted.value, end: line.length - quoted.rest.length };
  const value = /^[^ \t\r\n]+/.exec(text)?.[0] ?? '';
  return { value, end: start + value.length };
}

export const MACRO_PREFIX = '[attr]';

function parseLine(line: string, options: { readonly macros: boolean; readonly ignoreCase: boolean }): Omit<AttributeRule, 'line'> | null {
  const head = parseHead(line);
  if (head === null) return null;
  const rest = line.slice(head.end);
  const assignments = parseAssignments(rest);
  if (head.value.startsWith(MACRO_PREFIX)) {
    const macro = head.value.slice(MACRO_PREFIX.length) || (/^[ \t\r]*([^ \t\r]+)/.exec(rest)?.[1] ?? '');
    if (!options.macros || !isAttributeName(macro)) return null;
    return { pattern: null, baseName: false, macro, assignments: assignments ?? [] };
  }
  // Negative patterns are forbidden, and one that ends in a slash can match no file.
  if (assignments === null || head.value.startsWith('!') || head.value.endsWith('/')) return null;
  const baseName = !head.value.includes('/');
  const pattern = compileWildPattern(head.value.replace(/^\//, ''), options);
  return pattern === null ? null : { pattern, baseName, macro: null, assignments };
}

/** @returns `null` when a name is not valid: git drops the whole line */
function parseAssignments(text: string): readonly (readonly [string, AttributeValue])[] | null {
  const assignments: (readonly [string, AttributeValue])[] = [];
  for (const word of text.split(/[ \t\r\n]+/)) {
    if (word === '') continue;
    const sign = word.startsWith('-') || word.startsWith('!') ? word.slice(0, 1) : '';
    const equals = word.indexOf('=');
    const name = word.slice(sign.length, equals === -1 ? undefined : equals);
    if (!isAttributeName(name)) return null;
    const value = sign === '-' ? false : sign === '!' ? null : equals === -1 ? true : word.slice(equals + 1);
    assignments.push([name, value]);
  }
  return assignments;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A C-style quoted pattern, as for names with spaces; `null` when the quotes do not end. */
function unquote(text: string): { readonly value: string; readonly rest: string } | null {
  const bytes: Buffer[] = [];
  let i = 1;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === '"') return { value: Buffer.concat(bytes).toString('utf8'), rest: text.slice(i + 1) };
    if (char !== '\\') {
      const plain = /^[^"\\]+/.exec(text.slice(i))?.[0] ?? char;
      bytes.push(Buffer.from(plain, 'utf8'));
      i += plain.length;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(i + 1, i + 4))?.[0];
    const meaning = ESCAPES[text.charAt(i + 1)];
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (meaning !== undefined) bytes.push(Buffer.from([meaning]));
    else return null;
    i += octal === undefined ? 2 : 4;
  }
  return null;
}
