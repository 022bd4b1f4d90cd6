import type { Session } from 'electron';
import { APP_SCHEME } from './appUrl';

/** Schemes of what the window itself makes (`blob:`, `data:`) and of the developer tools. */
const LOCAL_SCHEMES = new Set([`${APP_SCHEME}:`, 'blob:', 'data:', 'devtools:']);

/** The window needs no device, no permission and no network; whatever asks for one is not ours. */
export function secureSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // Dictionaries would be fetched from the network.
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest((details, decide) => {
    const scheme = URL.canParse(details.url) ? new URL(details.url).protocol : '';
    decide({ cancel: !LOCAL_SCHEMES.has(scheme) });
  });
  // What the window itself made (an exported chart or table) may be saved: the system asks where. Nothing else comes in.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${APP_SCHEME}://`)) event.preventDefault();
  });
}
