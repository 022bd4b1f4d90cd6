import { type Command, InvalidArgumentError } from 'commander';
import type { CommandLine } from './commandLine';
import { parsePattern } from './parsePattern';

interface Given {
  readonly group?: (name: string) => boolean;
  readonly rtol?: number;
  readonly atol?: number;
  readonly json: boolean;
  readonly exitCode: boolean;
}

/** Verbs that hold two versions against each other. */
export function addComparingVerbs({ program, run }: CommandLine): void {
  const compare: Command = program
    .command('compare')
    .description('how two versions (REV:PATH) or files of any formats differ, group by group')
    .argument('<a>', 'REV:PATH, for example HEAD~2:model.pt, or a file')
    .argument('<b>', 'REV:PATH or a file');
  compare
    .option('-g, --group <pattern>', "only these groups: a name or module, a glob ('*.bias') or a regular expression ('/^fc[12]/')", parsePattern)
    .option('--rtol <number>', 'groups whose elements all have |b - a| <= atol + rtol * |a| are unchanged', parseTolerance)
    .option('--atol <number>', 'the same; without either, every bit counts', parseTolerance)
    .option('--json', 'print one JSON document', false)
    .option('--exit-code', 'end with 1 when they differ, with 3 when that cannot be told', false)
    .action((a: string, b: string, { group, rtol, atol, json, exitCode }: Given) =>
      run(async (session) => {
        // Workers take longer to start than what follows to load.
        session.pool.warmUp();
        const tolerance = rtol === undefined && atol === undefined ? null : { rtol: rtol ?? 0, atol: atol ?? 0 };
        return (await import('./compare')).compare(session, { a, b }, { isWanted: group ?? null, tolerance, json, exitCode });
      }),
    );
}

function parseTolerance(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It must be a number from 0 on, such as 1e-5.');
  return value;
}
