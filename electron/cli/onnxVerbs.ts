import type { Command } from 'commander';
import { type CommandLine, parseCount } from './commandLine';

const IN = 'an ONNX model: a file, or a version as REV:PATH';
const SCOPE = "path of a graph inside the model, as `ls` shows it ('#12.then_branch'); the main graph when left out";

interface Edit {
  readonly o?: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Verbs that look at the graph of an ONNX model and edit it. */
export function addOnnxVerbs({ program, run }: CommandLine): void {
  const onnx = program.command('onnx').description('the graph of an ONNX model: list, rename, set, remove, splice, name, compare and check');
  addLooking(onnx, run);
  addNaming(onnx, run);
  addEditing(onnx, run);
}

type Run = CommandLine['run'];

function addLooking(onnx: Command, run: Run): void {
  onnx
    .command('ls')
    .description('initializers, their types, and the nodes that use them')
    .argument('<in>', IN)
    .option('--json', 'print one JSON document', false)
    .action((target: string, options: { json: boolean }) => run(async (session) => (await import('./onnx/ls')).ls(session, target, options)));
  onnx
    .command('check')
    .description('what breaks the specification; ends with 1 when something does')
    .argument('<in>', IN)
    .option('--json', 'print one JSON document', false)
    .action((target: string, options: { json: boolean }) => run(async (session) => (await import('./onnx/check')).check(session, target, options)));
  onnx
    .command('diff')
    .description('nodes and initializers added, removed, changed, renamed and moved between two models')
    .argument('<a>', IN)
    .argument('<b>', IN)
    .option('--json', 'print one JSON document', false)
    .option('--exit-code', 'end with 1 when they differ', false)
    .action((a: string, b: string, options: { json: boolean; exitCode: boolean }) =>
      run(async (session) => (await import('./onnx/diff')).diff(session, { a, b }, options)),
    );
}

function addNaming(onnx: Command, run: Run): void {
  editing(
    onnx
      .command('rename')
      .description('rename initializers and other values: all that is asked for, or nothing')
      .argument('<in>', IN)
      .argument('[names...]', "old and new name, in pairs; the old one may say where the value stands: 'conv[2].weight'"),
  )
    .option('--map <file>', 'a mapping {old: new} as JSON, or CSV with two columns')
    .option('--pattern <regex>', 'a regular expression for names of initializers; --replace may use $1 and $<name>')
    .option('--replace <text>', 'what each match becomes')
    .option('--scope <path>', SCOPE)
    .action((target: string, names: string[], { o: out, ...options }: Edit & { map?: string; pattern?: string; replace?: string; scope?: string }) => {
      const { map, pattern, replace } = options;
      if (names.length % 2 !== 0) onnx.error(`error: ${names.at(-1)} has no new name: names come in pairs, the old one and the new one`);
      if ((pattern === undefined) !== (replace === undefined)) onnx.error('error: --pattern and --replace belong together');
      if (names.length === 0 && map === undefined && pattern === undefined) onnx.error('error: say what to rename: OLD NEW, --map or --pattern');
      return run(async (session) =>
        (await import('./onnx/rename')).rename(session, target, {
          names,
          out,
          map: undefined,
          pattern: undefined,
          replace: undefined,
          scope: undefined,
          ...options,
        }),
      );
    });
  editing(onnx.command('name').description('fill in missing and numbered names such as onnx::MatMul_98').argument('<in>', IN))
    .option('--from <origin>', "'nodes' that use them, 'position' in the graph, or a checkpoint (file or REV:PATH) with the same values", 'nodes')
    .option('--all', 'also initializers that have names of their own', false)
    .option('--nodes', 'name the unnamed nodes instead', false)
    .option('--print-map', 'print the mapping that rename --map takes', false)
    .action((target: string, { o: out, ...options }: Edit & { from: string; all: boolean; nodes: boolean; printMap: boolean }) =>
      run(async (session) => (await import('./onnx/name')).name(session, target, { out, ...options })),
    );
}

function addEditing(onnx: Command, run: Run): void {
  editing(
    onnx
      .command('set')
      .description('give an initializer or a Constant another value')
      .argument('<in>', IN)
      .argument('<name>', "of the initializer, or where it stands: 'conv[2].weight'"),
  )
    .option('--constant <number>', 'every element becomes this: -1.5e-3, nan, inf, true')
    .option('--from <source>', 'a checkpoint (file or REV:PATH), or an .npy file')
    .option('--group <name>', 'parameter group of the checkpoint; the same name when left out')
    .option('--scope <path>', SCOPE, '')
    .option('--allow-change', 'another shape or type is meant', false)
    .option('--add', 'the initializer is a new one', false)
    .action(
      (
        target: string,
        name: string,
        { o: out, ...options }: Edit & { constant?: string; from?: string; group?: string; scope: string; allowChange: boolean; add: boolean },
      ) => {
        if ((options.constant === undefined) === (options.from === undefined)) onnx.error('error: say what the value is: --constant NUMBER or --from SOURCE');
        return run(async (session) =>
          (await import('./onnx/set')).set(session, { target, name }, { out, constant: undefined, from: undefined, group: undefined, ...options }),
        );
      },
    );
  editing(onnx.command('remove').description('remove an initializer that nothing uses, or nodes').argument('<in>', IN))
    .option('--initializer <name>', "the initializer, or where it stands: 'conv[2].weight'")
    .option('--node <name...>', "nodes by name, by position ('#12'), or a module by its path", [])
    .option('--bypass', 'consumers take the input of what is removed, where types agree', false)
    .option('--scope <path>', SCOPE, '')
    .action((target: string, { o: out, node: nodes, ...options }: Edit & { initializer?: string; node: string[]; bypass: boolean; scope: string }) => {
      if ((options.initializer === undefined) === (nodes.length === 0)) onnx.error('error: say what to remove: --initializer NAME or --node NAME');
      return run(async (session) => (await import('./onnx/remove')).remove(session, target, { out, nodes, initializer: undefined, ...options }));
    });
  editing(onnx.command('splice').description('add nodes of another model, with their initializers').argument('<in>', IN))
    .requiredOption('--from <model>', 'the other model: a file, or REV:PATH')
    .requiredOption('--node <name...>', "its nodes by name, by position ('#12'), or a module by its path")
    .option('--connect <theirs=ours...>', 'an input of the piece becomes a value of this model', [])
    .option('--replace <theirs=ours...>', 'consumers of a value of this model take an output of the piece', [])
    .action((target: string, { o: out, node: nodes, ...options }: Edit & { from: string; node: string[]; connect: string[]; replace: string[] }) =>
      run(async (session) => (await import('./onnx/splice')).splice(session, target, { out, nodes, ...options })),
    );
  editing(onnx.command('external').description('move large values into a file beside the model, or all back into it').argument('<in>', IN))
    .option('--file <name>', 'the new file; when left out, everything goes into the model')
    .option('--at-least <bytes>', 'only values of at least so many bytes', parseCount, 1024)
    .action((target: string, { o: out, ...options }: Edit & { file?: string; atLeast: number }) =>
      run(async (session) => (await import('./onnx/external')).external(session, target, { out, file: undefined, ...options })),
    );
}

/** What every edit takes. */
function editing(command: Command): Command {
  return command
    .option('-o <out>', 'where the edited model goes; without it nothing is written')
    .option('--force', 'replace the file that is there', false)
    .option('--dry-run', 'only say what would be done', false)
    .option('--json', 'print one JSON document', false);
}
