import { type BrowserWindow, dialog } from 'electron';

/** The page asked not to be left, because it holds edits that are in no file. Without this question the window would just not close. */
export function askBeforeUnload(window: BrowserWindow): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const choice = dialog.showMessageBoxSync(window, {
      type: 'warning',
      buttons: ['Stay', 'Leave without saving'],
      defaultId: 0,
      cancelId: 0,
      message: 'Leave without saving?',
      detail: 'There are edits of a model that are in no file. They would be lost.',
    });
    // Preventing the event is what lets the page go.
    if (choice === 1) event.preventDefault();
  });
}
