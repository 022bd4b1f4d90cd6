/** Text from files with everything that a terminal would obey (escape sequences, bidi controls, line breaks) made visible. */
export function terminalText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** A column gets no wider for the sake of a few very long names: those push the rest of their own rows. */
const WIDEST = 80;

/** Rows as a table with two spaces between the columns; cells are made safe. Ends without a line break. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map((column) => column.title), ...rows.map((row) => row.map(terminalText))];
  const widths = columns.map((_column, index) =>
    Math.min(
      WIDEST,
      cells.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), 0),
    ),
  );
  return cells
    .map((row) =>
      columns
        .map(({ align }, index) => {
          const cell = row[index] ?? '';
          const width = widths[index] ?? 0;
          return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
