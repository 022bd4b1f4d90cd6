import { Option } from 'commander';
import type { CommandLine } from './commandLine';

interface ScopeOptions {
  readonly local?: true;
  readonly json: boolean;
}

/** Verbs that set git up to use this program, and undo it. */
export function addInstallVerbs({ program, run }: CommandLine): void {
  program
    .command('install')
    .description('have git run this program for tracked checkpoints, in all repositories of yours or in one')
    .addOption(new Option('--global', 'in your own configuration of git (the default)').conflicts('local'))
    .addOption(new Option('--local', 'in the configuration of this repository, with the hooks that upload checkpoints'))
    .option('--force', 'replace what another program has set up there; uninstall puts it back', false)
    .option('--json', 'print one JSON document', false)
    .action(({ local, force, json }: ScopeOptions & { force: boolean }) =>
      run(async (session) => (await import('./install')).installCommand(session, { scope: local === true ? 'local' : 'global', force, json })),
    );

  program
    .command('uninstall')
    .description('undo install: the settings and hooks that were there before are put back')
    .addOption(new Option('--global', 'in your own configuration of git (the default)').conflicts('local'))
    .addOption(new Option('--local', 'in the configuration of this repository'))
    .option('--json', 'print one JSON document', false)
    .action(({ local, json }: ScopeOptions) =>
      run(async (session) => (await import('./uninstall')).uninstallCommand(session, { scope: local === true ? 'local' : 'global', json })),
    );
}
