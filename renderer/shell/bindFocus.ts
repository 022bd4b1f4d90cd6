import type { WorktreeStore } from '../state/worktreeStore';

/** Coming and going between windows is no reason to look at the disk each time. */
const REST_MS = 3000;

/** Reads the working tree again when the user comes back from another program, where a training run may have written a checkpoint. */
export function bindFocus(worktree: WorktreeStore): void {
  let lookedAt = performance.now();
  window.addEventListener('focus', () => {
    const now = performance.now();
    if (now - lookedAt < REST_MS) return;
    lookedAt = now;
    void worktree.getState().reload();
  });
}
