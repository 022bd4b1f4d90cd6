import type { Shell } from '../state/storesContext';
import type { Dropped } from './droppedEntries';

/**
 * While two versions are compared, a dropped file becomes the side that it is dropped on, else the one that is missing, else B; two files become
 * both sides. Folders mean what they mean everywhere.
 * @returns whether it was taken
 * @throws CheckpointError when the file cannot be sent to the host
 */
export async function compareDropped({ client, stores }: Shell, { files, folders }: Dropped, side: string | null): Promise<boolean> {
  const { workspace, compare } = stores;
  const [first, second] = files;
  if (workspace.getState().view !== 'compare' || first === undefined || folders.length > 0 || files.length > 2) return false;
  const choose = async (file: File, name: 'a' | 'b') => compare.getState().setSide(name, { kind: 'file', path: await client.hostPathFor(file) });
  if (second !== undefined) {
    await choose(first, 'a');
    await choose(second, 'b');
    return true;
  }
  const missing = compare.getState().a === null ? 'a' : 'b';
  await choose(first, side === 'a' || side === 'b' ? side : missing);
  return true;
}
