import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';
import { nulFields } from './writerPaths';

/** A path whose index entry differs from HEAD. */
export interface StagedChange {
  readonly path: string;
  /** What HEAD has there, as git prints it: mode 000000 and an id of zeros where it has nothing. */
  readonly head: { readonly mode: string; readonly oid: string };
  readonly unmerged: boolean;
}

/** @param head hash of HEAD; `null` on an unborn branch */
export async function stagedChanges(context: WriterContext, head: string | null, signal?: AbortSignal): Promise<readonly StagedChange[]> {
  const base = head ?? (await emptyTree(context));
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none', base, '--'];
  const { output } = await runWriter(context, args, { what: 'compare the index with HEAD', signal });
  const fields = nulFields(output);
  const changes = new Map<string, StagedChange>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [mode = '', , oid = '', , status = ''] = (fields[i] ?? '').slice(1).split(' ');
    const path = fields[i + 1] ?? '';
    const unmerged = status.startsWith('U') || changes.get(path)?.unmerged === true;
    changes.set(path, { path, head: { mode, oid }, unmerged });
  }
  return [...changes.values()];
}

/** Id of the tree without entries, which every git knows, in the repository's hash. */
async function emptyTree(context: WriterContext): Promise<string> {
  const { output } = await runWriter(context, ['hash-object', '-t', 'tree', '--stdin'], { what: 'name the empty tree' });
  return output.toString('latin1').trim();
}
