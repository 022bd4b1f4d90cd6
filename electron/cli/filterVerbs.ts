import type { CommandLine } from './commandLine';

/** Verbs that git calls as the filter of tracked checkpoints. */
export function addFilterVerbs({ program, terminal, run }: CommandLine): void {
  program
    .command('filter-process')
    .description("git's long-running filter: cleans and smudges checkpoints")
    .action(() => run(async (session) => (await import('./filterProcess')).filterProcess(session, terminal.streams())));

  for (const verb of ['clean', 'smudge'] as const) {
    program
      .command(verb)
      .description(
        verb === 'clean'
          ? 'read a checkpoint from the standard input, store it, and print its metadata'
          : 'read metadata from the standard input and print the checkpoint',
      )
      .argument('<path>', 'where it stands in the repository')
      .action((path: string) => run(async (session) => (await import('./filterProcess')).filterOnce(session, terminal.streams(), { verb, path })));
  }
}
