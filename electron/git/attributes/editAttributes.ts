import { CheckpointError } from '../../../shared/contract/errors';
import { attributesOf } from './attributesOf';
import {
  type AttributesEdit,
  type AttributeWord,
  isTooLong,
  joinLines,
  parsePatternLine,
  splitLines,
  splitMark,
  withoutWords,
  writePattern,
} from './attributesText';
import { parseAttributes } from './parseAttributes';
import { samplePath } from './samplePath';
import { isSamePattern, trackedPattern } from './trackedPattern';

export interface EditOptions {
  /** Folder of the attributes file: '' (the default) for the root, else ending in `/`. Patterns with a slash are given from the root. */
  readonly folder?: string;
}

const DRIVERS = ['filter', 'diff', 'merge'] as const;
const TRACKING = [...DRIVERS.map((name) => `${name}=theta`), '-text'] as const;

/**
 * Adds a line that has a pattern's files kept as checkpoints, unless the file says so already: what the last lines that match give counts.
 * Everything else in the text stays, byte for byte. @throws invalid-request for a pattern that can match no file, or is too long for git
 */
export function trackPattern(text: string, pattern: string, { folder = '' }: EditOptions = {}): AttributesEdit {
  const tracked = trackedPattern(pattern, folder);
  if (isTracked(text, tracked, folder)) return { text, changed: false };
  const line = [writePattern(tracked), ...TRACKING].join(' ');
  if (isTooLong(line))
    throw new CheckpointError('invalid-request', 'The pattern is longer than git reads in an attributes file (2047 bytes with its attributes).');
  const lines = splitLines(text);
  const end = lines.findLast((one) => one.end !== '')?.end ?? '\n';
  const missing = lines.at(-1)?.end === '' && splitMark(text).rest !== '' ? end : '';
  return { text: `${text}${missing}${line}${end}`, changed: true };
}

function isTracked(text: string, pattern: string, folder: string): boolean {
  const path = samplePath(pattern);
  if (path === null) return false;
  // git takes macros from the attributes file at the root only.
  const rules = parseAttributes(text, { macros: folder === '', ignoreCase: false });
  const found = attributesOf(path, [{ folder: '', rules, file: '' }]);
  return DRIVERS.every((name) => found.get(name) === 'theta') && found.get('text') === 'unset';
}

/**
 * Takes the attributes of tracking from the lines with this pattern; other attributes there stay, and a line that has none left goes.
 * `-text` goes only with one of the others.
 */
export function untrackPattern(text: string, pattern: string, { folder = '' }: EditOptions = {}): AttributesEdit {
  const tracked = trackedPattern(pattern, folder);
  return editLines(text, (body) => {
    const line = parsePatternLine(body);
    if (line === null || !isSamePattern(line.pattern, tracked)) return body;
    const drivers = line.words.filter((word) => DRIVERS.some((name) => word.text === `${name}=theta`));
    if (drivers.length === 0) return body;
    const ours = line.words.filter((word) => drivers.includes(word) || word.text === '-text');
    return ours.length === line.words.length ? null : withoutWords(body, ours);
  });
}

export interface TrackedPattern {
  /** Without quotes. */
  readonly pattern: string;
  /** From 1. */
  readonly line: number;
}

/** The lines that have files kept as checkpoints, whether or not a later line takes that back for some of them. */
export function listTracked(text: string): readonly TrackedPattern[] {
  return splitLines(splitMark(text).rest).flatMap(({ body }, index) => {
    const line = parsePatternLine(body);
    return line !== null && wordValue(line.words, 'filter') === 'theta' ? [{ pattern: line.pattern, line: index + 1 }] : [];
  });
}

/** The pattern, without quotes, of a line that says `filter=lfs` itself; `null` for any other. Lines count from 1. */
export function lfsPatternAt(text: string, line: number): string | null {
  const found = splitLines(splitMark(text).rest)[line - 1];
  const parsed = found === undefined ? null : parsePatternLine(found.body);
  return parsed !== null && wordValue(parsed.words, 'filter') === 'lfs' ? parsed.pattern : null;
}

/**
 * Has a line that gives files to Git LFS keep them as checkpoints instead. Attributes that the line sets in another way stay.
 * @param line from 1, as `explainFilter` names it
 * @throws conflict when the line does not say `filter=lfs` (any more, or only through a macro)
 */
export function convertLfs(text: string, line: number): AttributesEdit {
  if (lfsPatternAt(text, line) === null) {
    throw new CheckpointError('conflict', `Line ${line} does not give files to Git LFS by “filter=lfs”, so it cannot be converted.`, {
      hint: 'Change the file by hand, or track the checkpoint by a line of its own below.',
    });
  }
  return editLines(text, (body, index) => {
    const parsed = index + 1 === line ? parsePatternLine(body) : null;
    return parsed === null ? body : convertWords(body, parsed.words);
  });
}

function convertWords(body: string, words: readonly AttributeWord[]): string {
  let converted = body;
  for (const { text: word, start } of words.toReversed()) {
    if (!DRIVERS.some((name) => word === `${name}=lfs`)) continue;
    converted = `${converted.slice(0, start)}${word.replace(/lfs$/, 'theta')}${converted.slice(start + word.length)}`;
  }
  const names = new Set(words.map((word) => nameOf(word)));
  const missing = TRACKING.filter((word) => !names.has(nameOf({ text: word })));
  return missing.length === 0 ? converted : `${converted.replace(/[ \t\r]+$/, '')} ${missing.join(' ')}`;
}

/** @param edit gives the new body, or `null` to take the line out */
function editLines(text: string, edit: (body: string, index: number) => string | null): AttributesEdit {
  const { mark, rest } = splitMark(text);
  const lines = splitLines(rest).flatMap(({ body, end }, index) => {
    const edited = edit(body, index);
    return edited === null ? [] : [{ body: edited, end }];
  });
  const edited = mark + joinLines(lines);
  return { text: edited, changed: edited !== text };
}

function nameOf({ text }: Pick<AttributeWord, 'text'>): string {
  return text.replace(/^[-!]/, '').replace(/=.*$/s, '');
}

/** The last word about an attribute holds. */
function wordValue(words: readonly AttributeWord[], name: string): string | null {
  const word = words.findLast((one) => nameOf(one) === name)?.text;
  return word?.startsWith(`${name}=`) === true ? word.slice(name.length + 1) : null;
}
