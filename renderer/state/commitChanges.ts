import type { Stores } from './createStores';
import { latest } from './loadable';

/** Opens the dialog with files of the working tree. */
export function commitChanges({ workspace, track }: Pick<Stores, 'workspace' | 'track'>, paths: readonly string[]): void {
  const repository = latest(workspace.getState().repository);
  if (repository === undefined || paths.length === 0) return;
  void track.getState().track(paths.map((path) => `${repository.path.replace(/[\\/]$/, '')}/${path}`));
}
