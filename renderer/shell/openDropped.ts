import { CheckpointError, isCheckpointError } from '../../shared/contract/errors';
import { latest } from '../state/loadable';
import type { Shell } from '../state/storesContext';
import type { Dropped } from './droppedEntries';

/**
 * What dropping means: a repository is opened; checkpoints, and folders of them, are tracked in the repository that is open. Without one, the
 * repository that holds the checkpoint is opened, and where there is none it can be made.
 */
export async function openDropped(shell: Shell, dropped: Dropped): Promise<void> {
  const [file] = dropped.files;
  const [folder] = dropped.folders;
  const probe = file ?? folder?.file ?? null;
  if (probe !== null && shell.client.pathForFile(probe) !== null) await openPaths(shell, dropped);
  else await sendFiles(shell, dropped);
}

/** The desktop: everything has a path. */
async function openPaths({ client, stores }: Shell, { files, folders }: Dropped): Promise<void> {
  const { workspace, track } = stores;
  const pathsOf = (list: readonly (File | null)[]) => list.flatMap((file) => (file === null ? [] : (client.pathForFile(file) ?? [])));
  const [repository] = folders.filter((folder) => folder.isRepository);
  const [first] = pathsOf([...files, ...folders.map((folder) => folder.file)]);
  if (first === undefined) return;
  if (repository !== undefined && files.length === 0) {
    await workspace.getState().openRepository(pathsOf([repository.file])[0] ?? first);
    return;
  }
  const holders = folders.filter((folder) => folder.checkpoints.length > 0);
  const sources = pathsOf([...files, ...holders.map((folder) => folder.file)]);
  // A folder without checkpoints can only be one inside a repository.
  if (sources.length === 0) await workspace.getState().openRepository(first);
  else if (latest(workspace.getState().repository) !== undefined) await track.getState().track(sources);
  else await openAround({ client, stores }, sources);
}

/** Opens the repository around checkpoints. What is committed there already is only shown. */
async function openAround({ client, stores }: Shell, sources: readonly string[]): Promise<void> {
  const { workspace, track, notices } = stores;
  const [first] = sources;
  if (first === undefined) return;
  try {
    // Asked first, so that a place without a repository does not count as a failure to open one.
    const { id } = await client.request('repository/open', { path: first });
    await workspace.getState().openRepository(first);
    const shown = latest(workspace.getState().repository);
    const path = workspace.getState().path;
    const isAsCommitted = shown?.id === id && shown.checkpoints.some((checkpoint) => checkpoint.path === path && checkpoint.status === 'unmodified');
    const isThatFile = path !== null && first.replaceAll('\\', '/').endsWith(`/${path}`);
    if (shown !== undefined && !(sources.length === 1 && isAsCommitted && isThatFile)) await track.getState().track(sources);
  } catch (error) {
    if (isCheckpointError(error, 'not-found')) await track.getState().track(sources);
    else notices.getState().show({ kind: 'error', title: 'The repository could not be opened', error: CheckpointError.from(error) });
  }
}

/** A browser: files are sent to the host, and where a folder lies nobody knows. */
async function sendFiles({ stores }: Shell, { files, folders }: Dropped): Promise<void> {
  const all = [...files, ...folders.flatMap((folder) => folder.checkpoints)];
  if (folders.some(({ hasMore }) => hasMore)) {
    stores.notices.getState().show({
      kind: 'warning',
      title: 'A dropped folder holds more than can be looked at',
      text: 'Only its first checkpoint files are shown. Drop a folder further down, or the files themselves.',
    });
  }
  if (all.length > 0) {
    await stores.track.getState().trackFiles(all);
    return;
  }
  if (folders.length === 0) return;
  stores.notices.getState().show({
    kind: 'warning',
    title: 'A browser does not tell where a dropped folder is',
    text: 'There are no checkpoints in it to be tracked. To open a repository, choose it with “Open a folder”, or drop it on the desktop application.',
    action: { label: 'Open a folder', run: () => stores.commands.getState().run('repository.open') },
  });
}
