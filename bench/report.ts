import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';

/** One line of the result. */
export interface Row {
  readonly what: string;
  /** Median of the runs. */
  readonly value: number;
  readonly unit: 's' | 'MB' | '×' | 'ms';
  /** What the value should be at most; `null` for what is there to compare with. */
  readonly target: number | null;
}

export function printRows(title: string, rows: readonly Row[]): void {
  const cells = rows.map(({ what, value, unit, target }) => [
    what,
    format(value, unit),
    target === null ? '' : `≤ ${format(target, unit)}`,
    target === null ? '' : value <= target ? 'met' : 'MISSED',
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of cells)
    console.log(
      `  ${row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   ')
        .trimEnd()}`,
    );
}

function format(value: number, unit: Row['unit']): string {
  return `${value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)} ${unit}`;
}

/** Writes everything to bench/results/, with the machine it was measured on. @returns path of the file */
export async function writeResults(cases: Readonly<Record<string, readonly Row[]>>): Promise<string> {
  const folder = join(process.cwd(), 'bench', 'results');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.json`);
  const machine = { system: type(), processor: cpus()[0]?.model ?? '', cores: availableParallelism(), memory: totalmem(), node: process.version };
  await writeFile(file, `${JSON.stringify({ machine, cases }, null, 2)}\n`);
  return file;
}
