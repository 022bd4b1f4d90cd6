import { CheckpointError } from '../../../../shared/contract/errors';
import { headHash } from './headHash';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { listPaths, literalPathspecs, nulFields, nulInput, requirePaths } from './writerPaths';

/**
 * Restores index and work tree from HEAD, through the smudge filter; a file that HEAD does not have is only taken out of the index and stays
 * where it is. @throws invalid-request for a path that is neither in HEAD nor in the index (before anything is changed), conflict, permission,
 *   no-space, internal (the filter), cancelled
 */
export async function discardFiles(context: WriterContext, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  requirePaths(paths);
  const head = await headHash(context);
  const committed = head === null ? new Set<string>() : await namesIn(context, ['ls-tree', '-z', '--full-tree', '--name-only', '-r', head], { paths, signal });
  const added = paths.filter((path) => !committed.has(path));
  const staged = added.length === 0 ? new Set<string>() : await namesIn(context, ['ls-files', '-z', '--full-name', '--cached'], { paths: added, signal });
  const unknown = added.filter((path) => !staged.has(path));
  if (unknown.length > 0) {
    throw new CheckpointError('invalid-request', `git does not track this: ${listPaths(unknown)}.`, {
      place: { file: unknown[0] },
      hint: 'There is no other version of it to go back to.',
    });
  }
  if (added.length > 0) {
    await runWriter(context, ['update-index', '--force-remove', '-z', '--stdin'], { what: 'take files out of the index', input: nulInput(added), signal });
  }
  for (const group of literalPathspecs(paths.filter((path) => committed.has(path)))) {
    await runWriter(context, ['restore', '--source=HEAD', '--staged', '--worktree', '--no-progress', '--', ...group], {
      what: 'restore the files',
      hooks: true,
      lateHooks: ['post-checkout'],
      signal,
    });
  }
}

/** Which of the paths a listing knows as files. */
async function namesIn(
  context: WriterContext,
  args: readonly string[],
  { paths, signal }: { paths: readonly string[]; signal: AbortSignal | undefined },
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  // Without magic here: ls-tree takes paths as they are, ls-files by this variable; neither starts a hook that would inherit it.
  for (const group of literalPathspecs(paths)) {
    const plain = group.map((pathspec) => pathspec.slice(':(top,literal)'.length));
    const { output } = await runWriter(context, [...args, '--', ...plain], { what: 'list files', environment: { GIT_LITERAL_PATHSPECS: '1' }, signal });
    for (const name of nulFields(output)) names.add(name);
  }
  return new Set(paths.filter((path) => names.has(path)));
}
