import { lstat, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommitHash } from '../../../../shared/model/commit';
import { runWriter } from './runWriter';
import { stagedChanges } from './stagedChanges';
import type { WriterContext } from './writerContext';
import { nulFields, nulInput } from './writerPaths';

/** Files that a checkout is going to write, and that held nothing of the user's own before. */
export interface SwitchedFiles {
  /** As in the index. */
  readonly clean: readonly string[];
  /** Not there. */
  readonly absent: readonly string[];
}

const SUBMODULE = '160000';

/**
 * What may be put back if git stops between the first and the last file of a checkout (a smudge filter that fails, a full disk, a cancel):
 * it then leaves files missing, and those of the other branch lying around, which are in the way of the next attempt.
 */
export async function filesToSwitch(context: WriterContext, from: CommitHash, to: CommitHash): Promise<SwitchedFiles> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to];
  const [differing, dirty, staged] = await Promise.all([
    runWriter(context, args, { what: 'compare two commits' }),
    // By stat data alone: what is not known to be clean is left alone.
    runWriter(context, ['diff-files', '-z', '--name-only', '--ignore-submodules=all'], { what: 'look for changed files' }),
    stagedChanges(context, from),
  ]);
  const own = new Set([...nulFields(dirty.output), ...staged.map(({ path }) => path)]);
  const fields = nulFields(differing.output);
  const clean: string[] = [];
  const absent: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [mode = '', newMode = ''] = (fields[i] ?? '').slice(1).split(' ');
    const path = fields[i + 1] ?? '';
    if (own.has(path) || mode === SUBMODULE || newMode === SUBMODULE) continue;
    if (!/^0+$/.test(mode)) clean.push(path);
    else if (!(await isThere(join(context.workTree, path)))) absent.push(path);
  }
  return { clean, absent };
}

/** Whether the work tree is as it was before. Goes on to the end whatever happens on the way. */
export async function undoHalfSwitch(context: WriterContext, { clean, absent }: SwitchedFiles): Promise<boolean> {
  for (const path of absent) {
    await unlink(join(context.workTree, path)).catch(() => {});
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const removed = await rmdir(join(context.workTree, folder)).then(
        () => true,
        () => false,
      );
      if (!removed) break;
    }
  }
  const { code } = await runWriter(context, ['checkout-index', '--force', '--index', '--quiet', '-z', '--stdin'], {
    what: 'put the files back',
    input: nulInput(clean),
    answers: [0, 1, 128],
  });
  if (code !== 0) return false;
  const left = await Promise.all(absent.map((path) => isThere(join(context.workTree, path))));
  return !left.includes(true);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
