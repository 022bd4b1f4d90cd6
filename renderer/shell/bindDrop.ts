import type { Shell } from '../state/storesContext';
import { isTextField } from './bindKeys';

/**
 * Opens what is dropped anywhere on the window. A browser would otherwise leave the page for the dropped file, and it never tells
 * where a file lies; only the desktop can.
 */
export function bindDrop({ client, stores }: Shell): void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const { setDragging } = stores.app.getState();
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
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    const path = client.pathForFile(file);
    if (path !== null) void stores.workspace.getState().openRepository(path);
    else {
      stores.notices.getState().show({
        kind: 'warning',
        title: 'A browser does not tell where a dropped folder is',
        text: 'Choose it with “Open a folder”, or drop it on the desktop application.',
        action: { label: 'Open a folder', run: () => stores.commands.getState().run('repository.open') },
      });
    }
  });
}
