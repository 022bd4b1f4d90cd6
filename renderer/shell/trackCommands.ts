import { commitChanges } from '../state/commitChanges';
import { latest } from '../state/loadable';
import type { Shell } from '../state/storesContext';
import { changedPaths } from '../state/worktreeChanges';

/** Commands that change the repository: tracking, committing, branches and tags. */
export function registerTrackCommands({ stores }: Shell): void {
  const { workspace, worktree, track, refs, commands } = stores;
  const { register } = commands.getState();
  const repository = () => latest(workspace.getState().repository);
  const hasWorkTree = () => repository()?.bare === false;
  const changes = () => latest(worktree.getState().status)?.changes ?? [];
  const selected = () => workspace.getState().commit;

  register({
    id: 'track.open',
    title: 'Track checkpoints…',
    section: 'Repository',
    shortcut: 'Mod+I',
    inTextFields: true,
    enabled: () => repository() === undefined || hasWorkTree(),
    run: () => void chooseFiles(stores),
  });
  register({
    id: 'track.commitChanges',
    title: 'Commit changes…',
    section: 'Repository',
    shortcut: 'Mod+Enter',
    inTextFields: true,
    enabled: () => hasWorkTree() && changedPaths(changes()).length > 0,
    run: () => commitChanges(stores, changedPaths(changes())),
  });
  register({
    id: 'worktree.reload',
    title: 'Read the working tree again',
    section: 'Repository',
    enabled: hasWorkTree,
    run: () => void worktree.getState().reload(),
  });
  register({
    id: 'branch.create',
    title: 'Create a branch at the selected commit…',
    section: 'Version',
    enabled: () => selected() !== null,
    run: () => ask('branch'),
  });
  register({
    id: 'tag.create',
    title: 'Create a tag at the selected commit…',
    section: 'Version',
    enabled: () => selected() !== null,
    run: () => ask('tag'),
  });

  function ask(kind: 'branch' | 'tag'): void {
    const commit = selected();
    if (commit !== null) refs.getState().ask({ kind, commit });
  }

  /** A commit that runs behind its closed dialog is shown instead. */
  async function chooseFiles({ picker }: Shell['stores']): Promise<void> {
    if (track.getState().stage.kind === 'committing') {
      track.getState().reopen();
      return;
    }
    const picked = await picker.getState().pickFiles({
      title: 'Track checkpoints',
      description: 'Checkpoint files of the machine where the repository is, or of this computer.',
      action: 'Track',
      several: true,
    });
    if (picked?.paths !== undefined) await track.getState().track(picked.paths);
    else if (picked?.files !== undefined) await track.getState().trackFiles(picked.files);
  }
}
