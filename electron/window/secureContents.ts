import { shell, type WebContents } from 'electron';
import { isAppUrl, isExternalUrl } from './appUrl';

/** Keeps a page where it is: no other page, no other window, no embedded browser. Links to the web open in the system's browser. */
export function secureContents(contents: WebContents): void {
  const stay = (event: { preventDefault(): void; readonly url: string }) => {
    if (isAppUrl(event.url)) return;
    event.preventDefault();
    openExternally(event.url);
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openExternally(url);
    return { action: 'deny' };
  });
}

function openExternally(url: string): void {
  // Where no browser is set up there is nothing that a user could do in this window about it.
  if (isExternalUrl(url)) shell.openExternal(url).catch(() => undefined);
}
