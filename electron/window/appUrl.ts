/** The desktop's own origin. A scheme of ours is not reachable for any other program and carries no rights of `file:`. */
export const APP_SCHEME = 'app';
const APP_HOST = 'theta';
const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;
export const APP_URL = `${APP_ORIGIN}/`;

/** Whether a frame with this URL shows our own window. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  // `origin` is "null" for schemes that Node does not know.
  return parsed !== null && parsed.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST && parsed.username === '' && parsed.password === '';
}

/** Links that may be handed to the system's browser: nothing that starts another program or hides where it leads. */
export function isExternalUrl(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && parsed.protocol === 'https:' && parsed.hostname !== '' && parsed.username === '' && parsed.password === '';
}
