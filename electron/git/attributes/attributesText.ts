import { LINE_LIMIT, MACRO_PREFIX, parseHead } from './parseAttributes';

/** An edited text; `changed` says whether it differs from the one before. */
export interface AttributesEdit {
  readonly text: string;
  readonly changed: boolean;
}

/** One line of an attributes file with all its characters. */
export interface TextLine {
  /** Without the end of the line. */
  readonly body: string;
  /** `\n`, `\r\n`, or nothing at the end of the file. */
  readonly end: string;
}

/** A word after the pattern, and where it stands in the line. */
export interface AttributeWord {
  readonly text: string;
  readonly start: number;
}

export interface PatternLine {
  /** Without quotes, as git matches it. */
  readonly pattern: string;
  readonly words: readonly AttributeWord[];
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Lines whose bodies and ends, put together again, are the text. */
export function splitLines(text: string): readonly TextLine[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const end = /\r?\n$/.exec(line)?.[0] ?? '';
    return { body: line.slice(0, line.length - end.length), end };
  });
}

export function joinLines(lines: readonly TextLine[]): string {
  return lines.map(({ body, end }) => body + end).join('');
}

/** The mark that some editors write at the beginning of a file, and what follows it. */
export function splitMark(text: string): { readonly mark: string; readonly rest: string } {
  return text.startsWith(BYTE_ORDER_MARK) ? { mark: BYTE_ORDER_MARK, rest: text.slice(1) } : { mark: '', rest: text };
}

/** @returns `null` for a line without a pattern: empty, a comment, a macro, too long */
export function parsePatternLine(body: string): PatternLine | null {
  const head = parseHead(body);
  if (head === null || head.value.startsWith(MACRO_PREFIX)) return null;
  const words = [...body.slice(head.end).matchAll(/[^ \t\r\n]+/g)].map((match) => ({ text: match[0], start: head.end + match.index }));
  return { pattern: head.value, words };
}

/** The line without words and the blanks before each; everything else stays as it is. */
export function withoutWords(body: string, words: readonly AttributeWord[]): string {
  let kept = body;
  for (const { text, start } of words.toReversed()) kept = kept.slice(0, start).replace(/[ \t\r]+$/, '') + kept.slice(start + text.length);
  return kept;
}

/** A pattern as it stands in the file: in quotes, with the escapes of C, when it could not stand there as it is (gitattributes(5)). */
export function writePattern(pattern: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be written as escapes
  if (!/[\u0000-\u0020\u007f"]|^[#\ufeff]/.test(pattern)) return pattern;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return `"${pattern.replace(/[\u0000-\u001f\u007f"\\]/g, escapeChar)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeChar(char: string): string {
  return ESCAPES[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/** Whether git would leave a line out for its length. */
export function isTooLong(body: string): boolean {
  return Buffer.byteLength(body) >= LINE_LIMIT;
}
