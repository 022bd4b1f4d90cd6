/** Why a request is not answered with the window, for whoever sees it in a browser. */
export type Refusal = 'no-token' | 'wrong-token' | 'wrong-host' | 'wrong-origin' | 'wrong-method' | 'not-found' | 'not-built' | 'failed';

export const REFUSALS: Readonly<Record<Refusal, { readonly status: number; readonly title: string; readonly text: string }>> = {
  'no-token': {
    status: 403,
    title: 'This address needs its token',
    text: 'Open the whole address that “theta serve” printed in the terminal, with “?token=” at its end. Other people on this machine cannot see your models without it. After that, this address alone works in this browser until the host ends.',
  },
  'wrong-token': {
    status: 403,
    title: 'This token is not valid',
    text: 'Every start of “theta serve” makes a new token. Open the address that the running one printed in its terminal.',
  },
  'wrong-host': {
    status: 403,
    title: 'Not under this name',
    text: 'This host answers only as 127.0.0.1 or localhost with its own port. From another machine use an SSH tunnel with the same port on both sides: the terminal shows the line.',
  },
  'wrong-origin': { status: 403, title: 'Not from this page', text: 'Another site asked for this. Only the window of Theta itself may.' },
  'wrong-method': { status: 405, title: 'Not in this way', text: 'This host answers GET and HEAD, and POST and DELETE for uploads only.' },
  'not-found': { status: 404, title: 'Nothing here', text: 'There is no such file in the window.' },
  'not-built': { status: 503, title: 'The window is not built yet', text: 'Run “npm run build” in the folder of Theta Desktop and load this page again.' },
  failed: {
    status: 500,
    title: 'The page could not be read',
    text: 'The files of the window cannot be read from the disk. The terminal of the host may say more.',
  },
};

/** A plain page; its one style element carries the nonce of the answer. */
export function refusalPage(refusal: Refusal, nonce: string): string {
  const { title, text } = REFUSALS[refusal];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 36rem; margin: 15vh auto; padding: 0 1rem }
h1 { font-size: 1.25rem }
</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`;
}

/** Sends the browser to the clean address from a page of ours, so that a strict cookie goes with it (see `exchange`). */
export function forwardPage(): string {
  return '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Theta</title>\n<meta http-equiv="refresh" content="0; url=/">\n<p><a href="/">Continue</a></p>\n</html>\n';
}
