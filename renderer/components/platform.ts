/** Whether Cmd takes the place of Ctrl. Told by the window itself, since in the served host it is the viewer's keyboard that counts. */
export const isMac: boolean = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
