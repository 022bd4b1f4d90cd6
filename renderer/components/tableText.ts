export type TableValue = string | number | boolean | null;

/** What a chart or list shows, as rows of values. */
export interface ExportTable {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly TableValue[]>;
}

/** Spreadsheets run what begins like this, and names come from files. Text that is a number is left as it is. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$|^[+-](?:Infinity|∞|inf)$|^-$/i;

/** RFC 4180: lines end with CR LF, a value with a comma, a quote or a line break is quoted, quotes are doubled. Without a value: nothing. */
export function writeCsv({ columns, rows }: ExportTable): string {
  const lines = [columns.map(csvValue).join(',')];
  for (const row of rows) lines.push(row.map(csvValue).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** A list of objects, one for each row. What JSON has no number for is text: `"NaN"`, `"Infinity"`, `"-Infinity"`. */
export function writeJson({ columns, rows }: ExportTable): string {
  const objects: string[] = [];
  for (const row of rows) {
    const entries = columns.map((column, index) => `${JSON.stringify(column)}: ${jsonValue(row[index] ?? null)}`);
    objects.push(`  { ${entries.join(', ')} }`);
  }
  return objects.length === 0 ? '[]\n' : `[\n${objects.join(',\n')}\n]\n`;
}

function csvValue(value: TableValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return numberText(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function jsonValue(value: TableValue): string {
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isFinite(value) ? numberText(value) : JSON.stringify(String(value));
}

function numberText(value: number | boolean): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
