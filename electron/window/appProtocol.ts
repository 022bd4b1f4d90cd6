import { protocol, type Session } from 'electron';
import { createNonce, securityHeaders } from '../transport/securityHeaders';
import { findStaticFile, readStaticFile } from '../transport/staticFiles';
import { APP_SCHEME, isAppUrl } from './appUrl';

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }]);
}

/** Serves the built window under `app://theta/`, with the same files, checks and policy as the served host. */
export function serveApp(session: Session, rendererFolder: string): void {
  session.protocol.handle(APP_SCHEME, (request) => answerAppRequest(request, rendererFolder));
}

/** Answers a request of the page for one of its own files; everything else is refused. */
export async function answerAppRequest(request: { readonly url: string; readonly method: string }, rendererFolder: string): Promise<Response> {
  const nonce = createNonce();
  const headers = { ...securityHeaders({ styleNonce: nonce }), 'Cache-Control': 'no-store' };
  const refuse = (status: number, text: string) => new Response(text, { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } });
  if (!isAppUrl(request.url)) return refuse(403, 'Not a page of this app.');
  if (request.method !== 'GET') return refuse(405, 'Only GET is answered.');
  // Chromium has resolved the dots of a standard URL already; escapes are judged by `findStaticFile`.
  const file = await findStaticFile(rendererFolder, new URL(request.url).pathname);
  if (file === null) return refuse(404, 'There is no such file in the window.');
  return new Response(await readStaticFile(file, nonce), { status: 200, headers: { ...headers, 'Content-Type': file.type } });
}
