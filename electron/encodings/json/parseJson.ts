import { CheckpointError } from '../../../shared/contract/errors';

/** Objects are Maps, so that names such as `__proto__` are names like any other; integers beyond 2^53 are BigInts. */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | ReadonlyMap<string, JsonValue>;

type Open = { readonly kind: 'array'; readonly items: JsonValue[] } | { readonly kind: 'object'; readonly members: Map<string, JsonValue>; key: string };

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const LITERAL = /true|false|null/y;
/** Deeper nesting than any checkpoint has; keeps hostile files from growing the stack of open containers. */
const MAX_DEPTH = 1000;
/** More digits than any number of a checkpoint has: what longer ones cost grows faster than they do. */
const MAX_DIGITS = 1000;

/**
 * Strict JSON (RFC 8259) that keeps what JSON.parse loses: 64-bit integers, and names given twice (an error here).
 * Iterative, so that nesting in a hostile file cannot overflow the stack.
 * @throws CheckpointError `malformed` with the offset (UTF-16 units) in `file`.
 */
export function parseJson(text: string, file: string): JsonValue {
  const open: Open[] = [];
  let at = 0;

  const fail = (what: string, offset = at): never => {
    throw new CheckpointError('malformed', `The JSON is broken: ${what} at character ${offset}.`, { place: { file, offset } });
  };
  const skipSpace = () => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
  };
  const expect = (character: string) => {
    skipSpace();
    if (text[at] !== character) fail(at >= text.length ? `it ends where '${character}' is needed` : `'${character}' is missing`);
    at++;
  };
  const readString = (): string => {
    if (text[at] !== '"') fail('a name in quotes is missing');
    const start = at;
    let end = at + 1;
    let plain = true;
    for (; ; end++) {
      const code = text.charCodeAt(end);
      if (Number.isNaN(code)) fail('a text has no end', start);
      if (code === 0x22) break;
      if (code < 0x20) fail('a control character stands in a text', end);
      if (code === 0x5c) {
        plain = false;
        end++;
      }
    }
    at = end + 1;
    if (plain) return text.slice(start + 1, end);
    try {
      const value: unknown = JSON.parse(text.slice(start, at));
      if (typeof value === 'string') return value;
    } catch {
      // Falls through: said with our own offset.
    }
    return fail('an escape in a text is wrong', start);
  };
  const readNumber = (): number | bigint => {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(text);
    if (match === null) return fail(at >= text.length ? 'it ends too early' : `'${text[at]}' is unexpected`);
    if (match[0].length > MAX_DIGITS) fail(`a number has more than ${MAX_DIGITS} digits`);
    at = NUMBER.lastIndex;
    const value = Number(match[0]);
    const whole = match[1] === undefined && match[2] === undefined;
    return whole && !Number.isSafeInteger(value) ? BigInt(match[0]) : value;
  };
  const openObject = (): JsonValue | undefined => {
    const members = new Map<string, JsonValue>();
    skipSpace();
    if (text[at] === '}') {
      at++;
      return members;
    }
    const key = readString();
    expect(':');
    open.push({ kind: 'object', members, key });
    return undefined;
  };
  const openArray = (): JsonValue | undefined => {
    const items: JsonValue[] = [];
    skipSpace();
    if (text[at] === ']') {
      at++;
      return items;
    }
    open.push({ kind: 'array', items });
    return undefined;
  };
  /** A complete value, or `undefined` when a container was opened and its first value follows. */
  const readValue = (): JsonValue | undefined => {
    skipSpace();
    const character = text[at];
    if (character === '"') return readString();
    if (character === '{' || character === '[') {
      if (open.length >= MAX_DEPTH) fail(`it is nested more than ${MAX_DEPTH} deep`);
      at++;
      return character === '{' ? openObject() : openArray();
    }
    LITERAL.lastIndex = at;
    const literal = LITERAL.exec(text)?.[0];
    if (literal === undefined) return readNumber();
    at += literal.length;
    return literal === 'null' ? null : literal === 'true';
  };
  /** Puts a value into the innermost container; the container itself when that ended it. */
  const addToContainer = (container: Open, value: JsonValue): JsonValue | undefined => {
    if (container.kind === 'array') container.items.push(value);
    else if (container.members.has(container.key)) fail(`the name ${JSON.stringify(container.key)} stands twice in one object`);
    else container.members.set(container.key, value);
    skipSpace();
    const closing = container.kind === 'array' ? ']' : '}';
    const character = text[at];
    if (character !== ',' && character !== closing) fail(at >= text.length ? 'it ends too early' : `',' or '${closing}' is missing`);
    at++;
    if (character === closing) {
      open.pop();
      return container.kind === 'array' ? container.items : container.members;
    }
    if (container.kind === 'object') {
      skipSpace();
      container.key = readString();
      expect(':');
    }
    return undefined;
  };

  for (;;) {
    let value = readValue();
    while (value !== undefined) {
      const container = open.at(-1);
      if (container === undefined) {
        skipSpace();
        if (at < text.length) fail('something follows its end');
        return value;
      }
      value = addToContainer(container, value);
    }
  }
}

export function isJsonObject(value: JsonValue | undefined): value is ReadonlyMap<string, JsonValue> {
  return value instanceof Map;
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
