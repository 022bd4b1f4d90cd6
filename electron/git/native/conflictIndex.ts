import { CheckpointError } from '../../../shared/contract/errors';
import { decodeUtf8 } from '../decodeText';
import type { GitRepository } from '../gitRepository';
import { commandAt, runGit } from './gitProcess';
import { findNativeGit } from './gitVersion';
import { runWriter } from './writer/runWriter';
import { type FilterCommand, filterArguments, type WriterContext } from './writer/writerContext';

/** One version of a file that a merge could not settle. */
export interface StagedBlob {
  readonly oid: string;
  /** As git writes it, such as `100644`. */
  readonly mode: string;
}

/** A path in conflict; `null` where a side, or the common base, does not have the file. */
export interface UnmergedPath {
  readonly path: string;
  readonly base: StagedBlob | null;
  readonly ours: StagedBlob | null;
  readonly theirs: StagedBlob | null;
}

/** What resolving conflicts takes of the installed git. */
export interface ConflictIndex {
  /** Paths with unmerged stages in the index, in its order. */
  unmerged(signal?: AbortSignal): Promise<readonly UnmergedPath[]>;
  /** Writes a blob into the object database; the index is not touched. */
  writeBlob(content: Uint8Array): Promise<string>;
  /** Puts the merged content into the index in place of the three versions. @throws conflict when another program holds the index */
  settle(path: string, merged: StagedBlob, signal?: AbortSignal): Promise<void>;
  /** Writes the file of the work tree from the index, through the smudge filter, whatever stands there. */
  checkOut(path: string, signal?: AbortSignal): Promise<void>;
}

/**
 * @param filter names our filter for the checkout; `null`: as the user's configuration has it.
 * @throws unsupported-repository when it is bare, not-found when no usable git is installed
 */
export async function openConflictIndex(git: Pick<GitRepository, 'place'>, filter: FilterCommand | null): Promise<ConflictIndex> {
  const { workTree } = git.place;
  if (workTree === null) throw new CheckpointError('unsupported-repository', 'This repository is bare: it has no work tree, and so no merge under way.');
  const native = await findNativeGit();
  if (native === null) {
    throw new CheckpointError('not-found', 'There is no git on this machine, or it is older than version 2.24.', { hint: 'Install git to merge.' });
  }
  const command = commandAt(native.executable, git.place);
  const context: WriterContext = { command, place: git.place, workTree, filters: filter === null ? [] : filterArguments(filter) };
  return {
    async unmerged(signal) {
      const { output } = await runGit(command, ['ls-files', '--unmerged', '--full-name', '-z'], { what: 'list the files in conflict', signal });
      return parseUnmerged(output);
    },
    async writeBlob(content) {
      const { output } = await runWriter(context, ['hash-object', '-w', '--stdin'], { what: 'store the merged metadata', input: content });
      return output.toString('latin1').trim();
    },
    async settle(path, { oid, mode }, signal) {
      const input = `${mode} ${oid} 0\t${path}\0`;
      await runWriter(context, ['update-index', '-z', '--index-info'], { what: 'stage the merged file', input, signal });
    },
    async checkOut(path, signal) {
      await runWriter(context, ['checkout-index', '--force', '--index', '-z', '--stdin'], { what: 'write the merged file', input: `${path}\0`, signal });
    },
  };
}

/** `mode oid stage TAB path NUL`, stages of one path next to each other. */
function parseUnmerged(output: Buffer): readonly UnmergedPath[] {
  const paths = new Map<string, { base: StagedBlob | null; ours: StagedBlob | null; theirs: StagedBlob | null }>();
  for (const record of decodeUtf8(output).split('\0')) {
    const [, mode, oid, stage, path] = /^([0-7]+) ([0-9a-f]{40,64}) ([123])\t(.+)$/s.exec(record) ?? [];
    // A name that is not UTF-8 could not be given back to git as it is.
    if (mode === undefined || oid === undefined || path === undefined || path.includes('\ufffd')) continue;
    const known = paths.get(path) ?? { base: null, ours: null, theirs: null };
    known[stage === '1' ? 'base' : stage === '2' ? 'ours' : 'theirs'] = { oid, mode };
    paths.set(path, known);
  }
  return [...paths].map(([path, stages]) => ({ path, ...stages }));
}
