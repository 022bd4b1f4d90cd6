import type { PickleCursor } from './pickleCursor';
import { integer, type PickleScalar } from './pickleValue';

/** Longest decimal integer; see MAX_LONG_BYTES of the binary ones. */
const MAX_DIGITS = 2400;

function asciiLine(cursor: PickleCursor): string {
  return Buffer.from(cursor.line()).toString('latin1').trim();
}

function decimal(cursor: PickleCursor, digits: string): PickleScalar {
  if (!/^[+-]?\d+$/.test(digits)) throw cursor.fail('malformed', 'The pickle has an integer that is no decimal number.');
  if (digits.length > MAX_DIGITS) throw cursor.fail('too-large', `The pickle has an integer of ${digits.length} digits; up to ${MAX_DIGITS} are read.`);
  return integer(BigInt(digits.replace('+', '')));
}

/** INT: a decimal number; `00` and `01` are the booleans. */
export function readIntText(cursor: PickleCursor): PickleScalar {
  const line = asciiLine(cursor);
  if (line === '00' || line === '01') return { kind: 'bool', value: line === '01' };
  return decimal(cursor, line);
}

/** LONG: a decimal number, usually with an `L` behind it. */
export function readLongText(cursor: PickleCursor): PickleScalar {
  return decimal(cursor, asciiLine(cursor).replace(/L$/, ''));
}

export function readFloatText(cursor: PickleCursor): PickleScalar {
  const line = asciiLine(cursor).toLowerCase();
  const special = /^([+-]?)(inf(?:inity)?|nan)$/.exec(line);
  if (special) return { kind: 'float', value: special[2] === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity };
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(line)) throw cursor.fail('malformed', 'The pickle has a float that is no number.');
  return { kind: 'float', value: Number(line) };
}

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['b', 8],
  ['f', 12],
  ['v', 11],
  ['a', 7],
]);

/** STRING: quoted, with Python's escapes; gives bytes. */
export function readStringText(cursor: PickleCursor): Uint8Array {
  const line = asciiLine(cursor);
  const quote = line[0];
  if (line.length < 2 || (quote !== "'" && quote !== '"') || line.at(-1) !== quote) throw cursor.fail('malformed', 'The pickle has a text without quotes.');
  const plain = line.slice(1, -1).replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([\s\S]))/g, (whole, hex?: string, octal?: string, other?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const code = ESCAPES.get(other ?? '');
    if (code !== undefined) return String.fromCharCode(code);
    return other === '\\' || other === "'" || other === '"' ? other : whole;
  });
  return Buffer.from(plain, 'latin1');
}

/** UNICODE: Latin-1 with `\uXXXX` and `\UXXXXXXXX` (Python's raw-unicode-escape). */
export function readUnicodeText(cursor: PickleCursor): PickleScalar {
  const line = Buffer.from(cursor.line()).toString('latin1');
  const value = line.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g, (_, short?: string, wide?: string) => {
    const code = Number.parseInt(short ?? wide ?? '', 16);
    if (code > 0x10ffff) throw cursor.fail('malformed', 'The pickle has a character beyond Unicode.');
    return String.fromCodePoint(code);
  });
  return { kind: 'string', value };
}
