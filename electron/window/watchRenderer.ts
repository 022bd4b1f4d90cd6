import { type BrowserWindow, dialog } from 'electron';

/** Two crashes within this time: loading again will not help by itself. */
const LOOP_MS = 10_000;

/** Loads the page again when its process died, and says so; asks first when that happens again at once or the page hangs. */
export function watchRenderer(window: BrowserWindow): void {
  const { webContents } = window;
  let crashedAt = Number.NEGATIVE_INFINITY;
  let asking = false;

  const ask = async (question: { readonly message: string; readonly stay: string; readonly detail: string }) => {
    if (asking || window.isDestroyed()) return;
    asking = true;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: question.message,
      detail: question.detail,
      buttons: ['Load again', question.stay],
      defaultId: 0,
      cancelId: 1,
    });
    asking = false;
    if (response === 0 && !window.isDestroyed()) webContents.reload();
  };

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const now = performance.now();
    const again = now - crashedAt < LOOP_MS;
    crashedAt = now;
    const detail = `Its process ended (${reason}, code ${exitCode}). Nothing on the disk was changed by this.`;
    if (again) {
      void ask({ message: 'The window stopped working again.', stay: 'Leave it empty', detail });
      return;
    }
    webContents.reload();
    void dialog.showMessageBox(window, { type: 'info', message: 'The window stopped working and was loaded again.', detail, buttons: ['OK'] });
  });
  window.on('unresponsive', () => {
    void ask({ message: 'The window does not react.', stay: 'Wait', detail: 'It may be busy with something large.' });
  });
}
