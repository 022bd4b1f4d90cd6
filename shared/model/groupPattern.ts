/**
 * Which parameter groups a text names: `/…/` is a regular expression found anywhere in the name; with `*` (any characters) or `?` (one) a glob of
 * the whole name; else a group or a module by its own name, with everything in it (`encoder.layers.3`).
 * @returns what tells whether a name is meant, or in a sentence what is wrong with the text
 */
export function parseGroupPattern(text: string): ((name: string) => boolean) | string {
  if (text === '') return 'A pattern must not be empty.';
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/')) return regular(text.slice(1, -1));
  if (/[*?]/.test(text)) return globPattern(text);
  return (name) => name === text || (name.startsWith(text) && (/[./]$/.test(text) || /^[./]/.test(name.slice(text.length))));
}

/** Which whole names a glob fits: `*` stands for any text, `/` and `.` included, `?` for one character. */
export function globPattern(glob: string): (name: string) => boolean {
  const source = [...glob].map((character) => (character === '*' ? '.*' : character === '?' ? '.' : character.replace(/[\\^$.+()[\]{}|/]/g, '\\$&')));
  // A row of stars is one: else a long row of them would be tried in every way.
  const expression = new RegExp(`^${source.join('').replace(/(?:\.\*)+/g, '.*')}$`, 'su');
  return (name) => expression.test(name);
}

function regular(source: string): ((name: string) => boolean) | string {
  try {
    const expression = new RegExp(source, 'u');
    return (name) => expression.test(name);
  } catch {
    return `/${source}/ is no regular expression.`;
  }
}
