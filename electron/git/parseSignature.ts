import type { Signature } from '../../shared/model/commit';

/** `Name <email> 1700000000 +0530` as commits and tags hold it; what is missing or broken becomes '' or 0, and all of it without an address, as git shows it. */
export function parseSignature(line: string): Signature {
  const open = line.indexOf('<');
  const close = open === -1 ? -1 : line.indexOf('>', open);
  if (close === -1) return { name: '', email: '', time: 0, offset: 0 };
  // A stray '>' in the name part does not end the address: git looks for the date after the last one.
  const { time, offset } = parseRawDate(line.slice(line.lastIndexOf('>') + 1));
  return {
    name: line.slice(0, open).trim(),
    email: line.slice(open + 1, close).trim(),
    time,
    offset,
  };
}

/** git's raw date, `1700000000 +0530`: seconds, then hours and minutes east of UTC. */
export function parseRawDate(text: string): { readonly time: number; readonly offset: number } {
  const match = /^\s*(\d{1,15})(?:\s+([+-])(\d{1,7}))?/.exec(text);
  if (match === null) return { time: 0, offset: 0 };
  const [, seconds, sign, digits] = match;
  const clock = Number(digits ?? 0);
  const minutes = Math.trunc(clock / 100) * 60 + (clock % 100);
  return { time: Number(seconds), offset: sign === '-' && minutes !== 0 ? -minutes : minutes };
}
