import { Option } from 'commander';
import { filterCommand } from '../programCommand';
import { MERGE_STRATEGIES, type MergeStrategy } from '../theta/mergeMetadata';
import type { CommandLine } from './commandLine';

/** Verbs that merge and compare, for people and for git, which calls them as its drivers. */
export function addMergeVerbs({ program, run }: CommandLine): void {
  program
    .command('merge')
    .description('list the parameter groups that a merge left to you; with a strategy, decide them and stage the result')
    .argument('[path]', 'checkpoint in conflict; default: all')
    .addOption(new Option('--strategy <strategy>', 'what to do with groups that both sides changed').choices(MERGE_STRATEGIES))
    .option('--group <pattern>', 'only these groups; "*" stands for any text, "?" for one character')
    .option('--json', 'print one JSON document', false)
    .action((path: string | undefined, { strategy, group, json }: { strategy?: MergeStrategy; group?: string; json: boolean }) =>
      run(async (session) =>
        (await import('./merge')).mergeCommand(session, path, { strategy: strategy ?? null, group: group ?? null, json, filter: filterCommand() }),
      ),
    );

  program
    .command('merge-driver')
    .description("git's merge driver: merges metadata by parameter group")
    .argument('<base>', '%O')
    .argument('<ours>', '%A, which gets the result')
    .argument('<theirs>', '%B')
    .argument('<path>', '%P')
    .argument('[marker-size]', '%L, which tells a base of bases')
    .action((base: string, ours: string, theirs: string, path: string, markerSize: string | undefined) =>
      run(async (session) => (await import('./mergeDriver')).mergeDriver(session, { base, ours, theirs, path, markerSize })),
    );

  program
    .command('diff-driver')
    .description("git's diff driver: what changed, parameter group by parameter group")
    .argument('<path-and-sides...>', 'as git gives them to an external diff')
    .allowUnknownOption()
    .action((args: string[]) => run(async (session) => (await import('./diffDriver')).diffDriver(session, args)));

  program
    .command('textconv')
    .description('a checkpoint as text, one line for every parameter group, for viewers that compare lines')
    .argument('<file>', 'checkpoint, or its metadata')
    .action((file: string) => run(async (session) => (await import('./textconv')).textconv(session, file)));
}
