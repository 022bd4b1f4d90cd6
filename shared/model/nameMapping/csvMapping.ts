import { type MappingEntry, malformed } from './mappingEntry';

/** Headings that a first line may be, in lower case. */
const HEADINGS: ReadonlySet<string> = new Set(['old,new', 'from,to', 'name,to', 'old name,new name', 'old_name,new_name']);

interface Row {
  readonly fields: readonly string[];
  readonly line: number;
}

/** `old,new` or `old,new,graph`, by RFC 4180. @throws CheckpointError malformed */
export function parseCsvMapping(content: string): MappingEntry[] {
  const entries: MappingEntry[] = [];
  for (const { fields, line } of rowsOf(content)) {
    const [name = '', to = '', graph = null, ...more] = fields;
    if (fields.length === 1 && name.trim() === '') continue;
    if (entries.length === 0 && line === 1 && isHeading(fields)) continue;
    if (fields.length < 2)
      throw malformed(line, `one column, but the old and the new name are two: ${shown(name)}.${/[;\t]/.test(name) ? ' Columns are parted by commas.' : ''}`);
    if (more.length > 0) throw malformed(line, `${fields.length} columns; names with commas stand in quotes.`);
    if (name === '') throw malformed(line, 'the old name is empty.');
    if (to === '') throw malformed(line, `the new name of ${shown(name)} is empty.`);
    entries.push({ graph, name, to, line });
  }
  return entries;
}

function isHeading(fields: readonly string[]): boolean {
  const words = fields.map((field) => field.trim().toLowerCase());
  return HEADINGS.has(words.slice(0, 2).join(',')) && (words.length === 2 || (words.length === 3 && words[2] === 'graph'));
}

/** Rows with the line that each begins in; quoted fields may hold commas, quotes and ends of lines. */
function* rowsOf(content: string): Generator<Row> {
  const PLAIN = /[^",\r\n]*/y;
  let fields: string[] = [];
  let line = 1;
  let start = 1;
  for (let at = 0; at < content.length; ) {
    let field: string;
    if (content[at] === '"') {
      const end = closingQuote(content, at);
      if (end === -1) throw malformed(line, 'a quote is not closed.');
      field = content.slice(at + 1, end).replaceAll('""', '"');
      line += field.split('\n').length - 1;
      at = end + 1;
    } else {
      PLAIN.lastIndex = at;
      field = PLAIN.exec(content)?.[0] ?? '';
      at += field.length;
      if (content[at] === '"') throw malformed(line, 'a quote inside a name; the whole name stands in quotes then, and the quote twice.');
    }
    fields.push(field);
    const next = content[at];
    if (next === ',') {
      at++;
      if (at < content.length) continue;
      fields.push('');
    } else if (next !== undefined && next !== '\r' && next !== '\n') throw malformed(line, 'text behind the closing quote of a name.');
    yield { fields, line: start };
    fields = [];
    if (next === '\r' || next === '\n') at += content.startsWith('\r\n', at) ? 2 : 1;
    line++;
    start = line;
  }
}

/** Position of the quote that ends the field that begins at `at`; -1 when none does. */
function closingQuote(content: string, at: number): number {
  for (let end = content.indexOf('"', at + 1); end !== -1; end = content.indexOf('"', end + 2)) if (content[end + 1] !== '"') return end;
  return -1;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
