import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Bytes that file systems allow in one name. */
const NAME_BYTES = 255;

export interface PartialName {
  readonly host: string;
  readonly pid: number;
}

/**
 * Name of an unfinished file: hidden, and telling who writes it: `.<name>.<host>-<pid>-<random>.partial`. The host is there because
 * a process id says nothing about another machine on the same network file system.
 */
export function partialName(name: string): string {
  const tail = `.${hostTag()}-${process.pid}-${randomBytes(6).toString('hex')}.partial`;
  return `.${shorten(name, NAME_BYTES - 1 - tail.length)}${tail}`;
}

/** Who writes the partial file with this name; `null` when it is none of a destination called `name`. */
export function parsePartialName(file: string, name: string): PartialName | null {
  const parts = /^\.(.+)\.([0-9a-f]{8})-([1-9]\d{0,9})-[0-9a-f]{12}\.partial$/s.exec(file);
  const [, stem, host, pid] = parts ?? [];
  if (stem === undefined || host === undefined || pid === undefined) return null;
  const tailBytes = file.length - stem.length - 1;
  return stem === shorten(name, NAME_BYTES - 1 - tailBytes) ? { host, pid: Number(pid) } : null;
}

export function hostTag(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** The beginning of `name` that has at most `bytes` bytes in UTF-8, without half characters. */
function shorten(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  let short = '';
  let used = 0;
  for (const character of name) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    short += character;
  }
  return short;
}
