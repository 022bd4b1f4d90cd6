/** Tuples and lists are arrays. */
export type PythonValue = string | number | boolean | null | readonly PythonValue[];

const TOKEN = /\s*(?:([{}()[\],:])|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|(-?\d+)[lL]?(?![\w.])|(True|False|None)(?!\w))/y;
const MAX_DEPTH = 16;

/**
 * A Python dictionary of texts, whole numbers, booleans, None, tuples and lists, as it stands in a .npy header; `null` when the
 * text is anything else. Numbers may have the suffix L of Python 2.
 */
export function parsePythonDict(text: string): ReadonlyMap<string, PythonValue> | null {
  const tokens = tokenise(text);
  if (tokens === null || tokens[0] !== '{' || tokens.at(-1) !== '}') return null;
  const result = new Map<string, PythonValue>();
  let at = 1;
  while (at < tokens.length - 1) {
    const key = tokens[at];
    if (typeof key !== 'object' || typeof key.value !== 'string' || tokens[at + 1] !== ':' || result.has(key.value)) return null;
    const parsed = parseValue(tokens, at + 2);
    if (parsed === null) return null;
    result.set(key.value, parsed.value);
    at = parsed.next;
    if (tokens[at] === ',') at++;
    else if (at !== tokens.length - 1) return null;
  }
  return at === tokens.length - 1 ? result : null;
}

type Token = string | { readonly value: PythonValue };

function tokenise(text: string): Token[] | null {
  const end = text.trimEnd();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end.length) {
    const match = TOKEN.exec(end);
    if (match === null) return null;
    const [, sign, single, double, number, word] = match;
    const quoted = single ?? double;
    if (sign !== undefined) tokens.push(sign);
    else if (quoted !== undefined) tokens.push({ value: quoted });
    else if (number !== undefined) tokens.push({ value: Number(number) });
    else tokens.push({ value: word === 'None' ? null : word === 'True' });
  }
  return tokens;
}

/** One value from `at`; containers are kept on a stack of fixed depth. */
function parseValue(tokens: readonly Token[], at: number): { readonly value: PythonValue; readonly next: number } | null {
  const open: { readonly items: PythonValue[]; readonly closing: string }[] = [];
  for (let next = at; next < tokens.length; next++) {
    const token = tokens[next];
    let value: PythonValue;
    const inner = open.at(-1);
    if (token === '(' || token === '[') {
      if (open.length >= MAX_DEPTH) return null;
      open.push({ items: [], closing: token === '(' ? ')' : ']' });
      continue;
    }
    if (token !== undefined && inner !== undefined && token === inner.closing) {
      open.pop();
      // A tuple of one needs its comma; `(3)` is the number 3 in Python.
      const [first] = inner.items;
      value = inner.closing === ')' && inner.items.length === 1 && tokens[next - 1] !== ',' && first !== undefined ? first : inner.items;
    } else if (typeof token === 'object') value = token.value;
    else return null;
    const outer = open.at(-1);
    if (outer === undefined) return { value, next: next + 1 };
    outer.items.push(value);
    if (tokens[next + 1] === ',') next++;
    else if (tokens[next + 1] !== outer.closing) return null;
  }
  return null;
}
