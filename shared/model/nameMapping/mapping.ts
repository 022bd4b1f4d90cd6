import { CheckpointError } from '../../contract/errors';
import { parseCsvMapping } from './csvMapping';
import { parseJsonMapping } from './jsonMapping';
import { type MappingEntry, malformed } from './mappingEntry';

export type { MappingEntry } from './mappingEntry';

export const MAPPING_FORMATS = ['json', 'csv'] as const;
export type MappingFormat = (typeof MAPPING_FORMATS)[number];

/** Entries of one mapping; the limit of a rename. */
const MAX_ENTRIES = 1_000_000;
const MAX_CHARACTERS = 256 * 1024 * 1024;

/**
 * A file that says which name becomes which.
 *
 * JSON: `{"old": "new"}`; names of a body stand under the path of its graph: `{"#12.then_branch": {"old": "new"}}`, those of the main graph
 * may stand under `""`. CSV (RFC 4180): `old,new` or `old,new,graph`; a first line that says `old,new`, `from,to` or `name,to` (and `graph`)
 * is a heading. A mark of byte order and line ends of any kind are allowed; names are taken as they stand, spaces too.
 * @throws CheckpointError malformed with the line; too-large
 */
export function parseMapping(text: string, format: MappingFormat): readonly MappingEntry[] {
  if (text.length > MAX_CHARACTERS) throw new CheckpointError('too-large', `A mapping has at most ${MAX_CHARACTERS} characters.`);
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const entries = format === 'json' ? parseJsonMapping(content) : parseCsvMapping(content);
  if (entries.length > MAX_ENTRIES) throw new CheckpointError('too-large', `The mapping has ${entries.length} entries; up to ${MAX_ENTRIES} are read.`);
  refuseRepeats(entries);
  return entries;
}

/** `{"a": "b", "a": "c"}` has no meaning, although JSON's own readers take the last. */
function refuseRepeats(entries: readonly MappingEntry[]): void {
  const lines = new Map<string, number>();
  for (const { graph, name, line } of entries) {
    const key = JSON.stringify([graph, name]);
    const known = lines.get(key);
    if (known !== undefined) throw malformed(line, `${JSON.stringify(name)} has a new name in line ${known} already.`);
    lines.set(key, line);
  }
}

/** The file that `parseMapping` reads back as the same entries. */
export function formatMapping(entries: readonly Omit<MappingEntry, 'line'>[], format: MappingFormat): string {
  if (format === 'csv') {
    const heading = entries.some(({ graph }) => graph !== null) ? ['old', 'new', 'graph'] : ['old', 'new'];
    const rows = entries.map(({ graph, name, to }) => (graph === null ? [name, to] : [name, to, graph]));
    return [heading, ...rows].map((row) => `${row.map(csvField).join(',')}\n`).join('');
  }
  // Written line by line: an object would drop the name __proto__ and reorder names that are numbers.
  const graphs = new Map<string | null, string[]>();
  for (const { graph, name, to } of entries) {
    const lines = graphs.get(graph) ?? [];
    graphs.set(graph, lines);
    lines.push(`${JSON.stringify(name)}: ${JSON.stringify(to)}`);
  }
  const blocks = [...graphs].flatMap(([graph, lines]) =>
    graph === null ? lines.map((line) => `  ${line}`) : [`  ${JSON.stringify(graph)}: {\n${lines.map((line) => `    ${line}`).join(',\n')}\n  }`],
  );
  return blocks.length === 0 ? '{}\n' : `{\n${blocks.join(',\n')}\n}\n`;
}

function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
}
