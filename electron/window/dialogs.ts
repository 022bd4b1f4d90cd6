import { BrowserWindow, dialog, shell } from 'electron';
import type { HostFacilities } from '../handlers/handlers';

/** The native dialogs, over the window that the user looks at. */
export const nativeDialogs: Pick<HostFacilities, 'pickFiles' | 'pickFolder' | 'pickSaveFile' | 'reveal'> = {
  async pickFolder(title) {
    const options = { title, properties: ['openDirectory', 'createDirectory'] as ('openDirectory' | 'createDirectory')[] };
    const window = currentWindow();
    const { canceled, filePaths } = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options));
    return canceled ? null : (filePaths[0] ?? null);
  },
  async pickFiles(title) {
    const options = { title, properties: ['openFile' as const, 'multiSelections' as const] };
    const window = currentWindow();
    const { canceled, filePaths } = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options));
    return canceled ? [] : filePaths;
  },
  async pickSaveFile(title, suggestedPath) {
    const options = { title, defaultPath: suggestedPath, properties: ['createDirectory' as const] };
    const window = currentWindow();
    const { canceled, filePath } = await (window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options));
    return canceled || filePath === '' ? null : filePath;
  },
  async reveal(path) {
    shell.showItemInFolder(path);
  },
};

function currentWindow(): BrowserWindow | null {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0] ?? null;
}
