import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { fileError } from '../bytes/fileError';
import { type CommandLine, parseCount } from './commandLine';
import { parsePattern } from './parsePattern';

interface StatsFlags {
  readonly group?: (name: string) => boolean;
  readonly quantiles?: readonly number[];
  readonly histogram?: number;
  readonly json: boolean;
}

/** Verbs that change no repository. */
export function addReadingVerbs({ program, terminal, run }: CommandLine): void {
  program
    .command('log')
    .description('list commits, newest first; with a path, those that changed it and how')
    .argument('[path]', 'checkpoint, from the root of the repository')
    .option('-n, --limit <count>', 'at most this many commits', parseCount)
    .option('--json', 'print one JSON document', false)
    .action((path: string | undefined, { limit, json }: { limit?: number; json: boolean }) =>
      run(async (session) => (await import('./log')).log(session, path, { json, limit: limit ?? null })),
    );

  program
    .command('show')
    .description('list the parameter groups of a version (REV:PATH) or of a file on disk')
    .argument('<version>', 'REV:PATH, for example HEAD~2:model.pt, or a file')
    .option('--digest', 'reconstruct every group and print the SHA-256 of its raw little-endian C-order bytes', false)
    .option('--json', 'print one JSON document', false)
    .action((target: string, { digest, json }: { digest: boolean; json: boolean }) =>
      run(async (session) => (await import('./show')).show(session, target, { digest, json })),
    );

  program
    .command('stats')
    .description('statistics of the parameter groups of a version (REV:PATH) or of a file on disk')
    .argument('<version>', 'REV:PATH, for example HEAD~2:model.pt, or a file')
    .option('-g, --group <pattern>', "only these groups: a name or module, a glob ('*.bias') or a regular expression ('/^fc[12]/')", parsePattern)
    .option('--quantiles <list>', 'exact quantiles, for example 0.01,0.5,0.99', parseQuantiles)
    .option('--histogram <bins>', 'equal bins from the least to the largest element', parseBins)
    .option('--json', 'print one JSON document', false)
    .action((target: string, { group, quantiles, histogram, json }: StatsFlags) =>
      run(async (session) =>
        (await import('./stats')).stats(session, target, { isWanted: group ?? null, quantiles: quantiles ?? [], bins: histogram ?? null, json }),
      ),
    );

  program
    .command('export')
    .description('write a version (REV:PATH), or a file on disk, to a checkpoint file; verified by re-reading')
    .argument('<version>', 'REV:PATH or a file')
    .argument('<out>', 'file to write')
    .option('-f, --format <format>', "safetensors, pytorch, npz, flax or original; default: by the extension of <out>, else the version's own")
    .option('--force', 'replace <out> when it exists', false)
    .option('--json', 'print one JSON document', false)
    .action(async (target: string, out: string, { format, force, json }: { format?: string; force: boolean; json: boolean }, command: Command) => {
      const { exportCommand, parseFormat } = await import('./export');
      const wanted = format === undefined ? undefined : parseFormat(format);
      if (wanted === null)
        command.error(`error: option '--format' does not know ${JSON.stringify(format)}. It takes safetensors, pytorch, npz, flax, original.`);
      await run((session) => exportCommand(session, { target, out }, { format: wanted, force, json }));
    });

  program
    .command('serve')
    .description('serve the window to a browser on this machine, or through an SSH tunnel')
    .argument('[folder]', 'repository to open at once')
    .option('-p, --port <number>', 'port on the loopback interface', parsePort)
    .action(async (folder: string | undefined, { port }: { port?: number }) => {
      const base = resolve(program.opts<{ C?: string }>().C ?? '.');
      const initial = folder === undefined ? null : resolve(base, folder);
      // Said here, where it was typed, rather than in a browser on another machine.
      if (initial !== null) await access(initial).catch((error: unknown) => Promise.reject(fileError(error, initial)));
      const { serveUntilStopped } = await import('../serve');
      await serveUntilStopped({ folder: initial, port: port ?? null }, (line) => terminal.out(`${line}\n`));
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65535) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}

function parseQuantiles(text: string): readonly number[] {
  const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (!values.every((value) => value >= 0 && value <= 1))
    throw new InvalidArgumentError('They must be numbers from 0 to 1 with commas between, such as 0.01,0.5.');
  return values;
}

function parseBins(text: string): number {
  const bins = parseCount(text);
  if (bins > 65_536) throw new InvalidArgumentError('It must be a number from 1 to 65536.');
  return bins;
}
