import { CheckpointError } from '../../shared/contract/errors';
import type { Shell } from '../state/storesContext';
import { isTextField } from './bindKeys';
import { compareDropped } from './compareDropped';
import { droppedEntries } from './droppedEntries';
import { graphDropped } from './graphDropped';
import { openDropped } from './openDropped';

/** Takes what is dropped anywhere on the window. A browser would otherwise leave the page for the dropped file. */
export function bindDrop(shell: Shell): void {
  const { app, notices } = shell.stores;
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const { setDragging } = app.getState();
  // Every element under the pointer sends its own enter and leave: the window is left when the last one is.
  let depth = 0;
  window.addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth++;
    setDragging(true);
  });
  window.addEventListener('dragleave', (event) => {
    if (!carriesFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) setDragging(false);
  });
  window.addEventListener('dragover', (event) => {
    if (isTextField(event.target) && !carriesFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = carriesFiles(event) ? 'copy' : 'none';
  });
  window.addEventListener('drop', (event) => {
    if (isTextField(event.target) && !carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    setDragging(false);
    if (event.dataTransfer === null || !carriesFiles(event)) return;
    const side = event.target instanceof Element ? (event.target.closest('[data-compare-side]')?.getAttribute('data-compare-side') ?? null) : null;
    droppedEntries(event.dataTransfer)
      .then(async (dropped) => {
        if ((await compareDropped(shell, dropped, side)) || (await graphDropped(shell, dropped))) return;
        await openDropped(shell, dropped);
      })
      .catch((error: unknown) => {
        notices.getState().show({ kind: 'error', title: 'What was dropped could not be read', error: CheckpointError.from(error) });
      });
  });
}
