import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { CommitHash } from '../../../shared/model/commit';
import type { TreeEntry } from '../gitRepository';
import { wrongType } from '../objectErrors';
import { findInTree } from '../parseTree';
import type { FoundEntry, TreeLookup } from '../treeLookup';
import { CatFileParser } from './catFileParser';
import { type GitCommand, streamGit } from './gitProcess';
import type { NativeObjects } from './nativeObjects';

/** From here on a process of its own, which may write its answers in large blocks, is faster than the shared one. */
const MANY = 64;
/** No tree that git makes is larger. */
const TREE_LIMIT = 256 * 2 ** 20;

interface TreesReader {
  readonly command: GitCommand;
  readonly objects: NativeObjects;
}

/**
 * One path in many commits: the root tree of each in one pass of `cat-file --batch-check`, then component by component every
 * different tree once, in one pass of `cat-file --batch`. Only trees tell a symlink from a file, a submodule from nothing,
 * and a path that is not there from one that a partial clone does not have; and they take any name, line breaks included.
 */
export async function findNativeEntries(
  reader: TreesReader & { readonly lookup: TreeLookup },
  commits: readonly CommitHash[],
  options: { readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly (TreeEntry | null)[]> {
  const { path, signal } = options;
  throwIfCancelled(signal);
  const found = commits.length < MANY ? await Promise.all(commits.map((commit) => reader.lookup.find(commit, path))) : await findMany(reader, commits, options);
  throwIfCancelled(signal);
  return found.map((entry) => (entry === null ? null : { path, kind: entry.kind, oid: entry.oid }));
}

async function findMany(
  reader: TreesReader,
  commits: readonly CommitHash[],
  options: { readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly (FoundEntry | null)[]> {
  const { path, signal } = options;
  let found: readonly (FoundEntry | null)[] = (await rootTrees(reader, commits, signal)).map((oid) => ({ kind: 'tree', mode: '40000', oid }));
  for (const name of path.split('/')) {
    const trees = new Set(found.filter((entry) => entry?.kind === 'tree').map((entry) => entry?.oid ?? ''));
    const entries = await findInTrees(reader, [...trees], { name, signal });
    found = found.map((entry) => (entry?.kind === 'tree' ? (entries.get(entry.oid) ?? null) : null));
  }
  return found;
}

/** @throws missing-object for a commit that is not here or whose tree is not */
async function rootTrees(reader: TreesReader, commits: readonly CommitHash[], signal: AbortSignal | undefined): Promise<readonly string[]> {
  const input = commits.map((commit) => `${commit}^{tree}\n`).join('');
  const trees: string[] = [];
  let rest = '';
  for await (const chunk of streamGit(reader.command, ['cat-file', '--batch-check', '--buffer'], { what: 'find the folders of commits', input, signal })) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const commit = commits[trees.length] ?? '';
      const oid = /^([0-9a-f]{40,64}) tree \d+$/.exec(line)?.[1];
      if (oid === undefined) throw await reader.objects.whyMissing(commit);
      trees.push(oid);
    }
  }
  if (trees.length !== commits.length) throw new CheckpointError('internal', 'git answered for fewer commits than it was asked for.');
  return trees;
}

async function findInTrees(
  reader: TreesReader,
  trees: readonly string[],
  options: { readonly name: string; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, FoundEntry | null>> {
  const found = new Map<string, FoundEntry | null>();
  if (trees.length === 0) return found;
  const current = () => {
    const spec = trees[found.size];
    return spec === undefined ? null : { spec, limit: TREE_LIMIT };
  };
  const parser = new CatFileParser('contents', current);
  const input = trees.map((tree) => `${tree}\n`).join('');
  for await (const chunk of streamGit(reader.command, ['cat-file', '--batch', '--buffer'], {
    what: 'read the folders of commits',
    input,
    signal: options.signal,
  })) {
    for (const reply of parser.push(chunk)) {
      const tree = trees[found.size] ?? '';
      if (reply.kind === 'missing' || reply.kind === 'ambiguous') throw await reader.objects.whyMissing(tree);
      if (reply.type !== 'tree') throw wrongType(tree, reply.type, 'tree');
      if (reply.kind === 'large') throw new CheckpointError('too-large', `The tree ${tree} is larger than any that git makes.`, { place: { oid: tree } });
      found.set(tree, findInTree(reply.bytes, tree, options.name));
    }
  }
  if (found.size !== trees.length) throw new CheckpointError('internal', 'git answered for fewer folders than it was asked for.');
  return found;
}
