import { type Command, InvalidArgumentError } from 'commander';
import { type Condition, parseCondition } from '../../shared/model/condition';
import { parseGroupPattern } from '../../shared/model/groupPattern';
import type { CommandLine } from './commandLine';

/** Verbs that look at one checkpoint through all its versions. */
export function addTimelineVerbs({ program, run }: CommandLine): void {
  const timeline: Command = program
    .command('timeline')
    .description('what every commit did to the parameter groups of a checkpoint, oldest first')
    .argument('<path>', 'checkpoint; its name is followed, not a file that was renamed');
  timeline
    .option('-g, --group <pattern>', 'numbers of every version of these groups: a name or module, a glob or a /regular expression/', parsePattern)
    .option('--all', 'of every branch and tag, not of HEAD alone', false)
    .option('--json', 'print one JSON document', false)
    .option('--csv', 'print a line for each change', false)
    .action((path: string, { group, all, json, csv }: { group?: (name: string) => boolean; all: boolean; json: boolean; csv: boolean }) => {
      if (json && csv) timeline.error("error: options '--json' and '--csv' exclude each other.");
      const output = json ? 'json' : csv ? 'csv' : 'text';
      return run(async (session) => (await import('./timeline')).timeline(session, path, { isWanted: group ?? null, all, output }));
    });

  program
    .command('blame')
    .description('which commit last changed each row (leading axes × last axis) of a parameter group')
    .argument('<version>', 'REV:PATH, for example HEAD:model.pt')
    .argument('<group>', 'name of the parameter group')
    .option('--rows', 'name the rows', false)
    .option('--json', 'print one JSON document', false)
    .action((version: string, group: string, options: { rows: boolean; json: boolean }) =>
      run(async (session) => (await import('./blame')).blame(session, version, { group, options })),
    );

  program
    .command('bisect')
    .description('the first commit (along first parents of HEAD) at which a condition on a parameter group holds; ends with 1 when none was found')
    .argument('<path>', 'checkpoint')
    .requiredOption('-g, --group <name>', 'name of the parameter group')
    .requiredOption('--when <condition>', "such as 'std > 1', 'nan != 0', 'changed_share >= 0.5'", parseWhen)
    .option('--json', 'print one JSON document', false)
    .action((path: string, { group, when, json }: { group: string; when: Condition; json: boolean }) =>
      run(async (session) => (await import('./bisect')).bisect(session, path, { group, condition: when, json })),
    );
}

function parsePattern(text: string): (name: string) => boolean {
  const pattern = parseGroupPattern(text);
  if (typeof pattern === 'string') throw new InvalidArgumentError(pattern);
  return pattern;
}

function parseWhen(text: string): Condition {
  const condition = parseCondition(text);
  if (typeof condition === 'string') throw new InvalidArgumentError(condition);
  return condition;
}
