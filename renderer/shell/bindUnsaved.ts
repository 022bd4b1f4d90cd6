import type { GraphSaveStore } from '../state/graphSaveStore';

/** Asks before the window is closed or read anew while there are edits that are in no file; in the browser's words, or the desktop's. */
export function bindUnsaved(graphSave: GraphSaveStore): void {
  window.addEventListener('beforeunload', (event) => {
    if (graphSave.getState().losses().length > 0) event.preventDefault();
  });
}
