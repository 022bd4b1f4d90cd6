import { Option } from 'commander';
import { UPDATE_CHOICES, type UpdateChoice } from '../../shared/model/track';
import type { CommandLine } from './commandLine';

/** Verbs that track checkpoints and stage what changed in them. */
export function addTrackingVerbs({ program, run }: CommandLine): void {
  program
    .command('track')
    .description('have git keep checkpoints parameter group by parameter group; without a pattern, list what is tracked')
    .argument('[patterns...]', 'file names or patterns as in .gitattributes, for example "*.safetensors"')
    .option('--convert-lfs', 'take over what Git LFS keeps now', false)
    .option('--json', 'print one JSON document', false)
    .action((patterns: string[], options: { convertLfs: boolean; json: boolean }) =>
      run(async (session) => (await import('./track')).track(session, patterns, options)),
    );

  program
    .command('untrack')
    .description('take patterns out of .gitattributes again; versions that are committed stay readable')
    .argument('<patterns...>', 'patterns as "theta track" lists them')
    .option('--json', 'print one JSON document', false)
    .action((patterns: string[], options: { json: boolean }) => run(async (session) => (await import('./track')).untrack(session, patterns, options)));

  program
    .command('add')
    .description('store what changed in checkpoints and stage them; "git add" does the same with the update type chosen by itself')
    .argument('<files...>', 'checkpoints in the work tree')
    .addOption(new Option('--update-type <type>', 'how changed groups are stored').choices(UPDATE_CHOICES).default('auto'))
    .option('--update-data <file>', 'file with the updates of some groups ("layer.weight/R", "layer.weight/C", ...), which give the new values')
    .option('-n, --dry-run', 'only say what would be stored', false)
    .option('--json', 'print one JSON document', false)
    .action((files: string[], options: { updateType: UpdateChoice; updateData?: string; dryRun: boolean; json: boolean }) =>
      run(async (session) => (await import('./add')).add(session, files, { ...options, updateData: options.updateData ?? null })),
    );

  program
    .command('status')
    .description('list checkpoints that differ from HEAD, and those that git would store whole')
    .option('--json', 'print one JSON document', false)
    .action((options: { json: boolean }) => run(async (session) => (await import('./status')).status(session, options)));

  program
    .command('ls-files')
    .description('list the tracked checkpoints of HEAD')
    .option('--json', 'print one JSON document', false)
    .action((options: { json: boolean }) => run(async (session) => (await import('./lsFiles')).lsFiles(session, options)));
}
