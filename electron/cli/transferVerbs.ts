import { Argument } from 'commander';
import type { CommandLine } from './commandLine';
import { HOOK_NAMES, type HookName } from './hookNames';

/** Verbs that exchange objects with remotes. */
export function addTransferVerbs({ program, run }: CommandLine): void {
  program
    .command('push')
    .description('upload the objects of what git would push; refs are pushed with git push')
    .argument('[remote]', 'name of a remote, or an address')
    .option('--all', 'of all branches and tags, whatever the remote is thought to have', false)
    .option('--json', 'print one JSON document', false)
    .action((remote: string | undefined, options: { all: boolean; json: boolean }) =>
      run(async (session) => (await import('./push')).push(session, { remote: remote ?? null, ...options })),
    );

  program
    .command('fetch')
    .description('download the objects of a version (default: HEAD), or of some of its parameter groups')
    .argument('[remote]', 'name of a remote, or an address')
    .argument('[version]', 'REV, or REV:PATH for one checkpoint')
    .option('--groups <pattern>', 'only these parameter groups and what they build on, for example "decoder.*"')
    .option('--json', 'print one JSON document', false)
    .action((first: string | undefined, second: string | undefined, { groups, json }: { groups?: string; json: boolean }) =>
      run(async (session) => (await import('./fetch')).fetch(session, { names: [first, second].filter((name) => name !== undefined), groups, json })),
    );

  program
    .command('hook', { hidden: true })
    .description('what the hooks of git call')
    .addArgument(new Argument('<name>', 'hook').choices(HOOK_NAMES))
    .argument('[arguments...]', 'as git gives them')
    .allowUnknownOption()
    .action((name: HookName, args: string[]) => run(async (session) => (await import('./hook')).hook(session, name, args)));
}
