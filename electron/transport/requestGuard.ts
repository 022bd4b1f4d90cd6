/**
 * Who may talk to a loopback server. Any page in any browser on this machine can send requests to it, so the address alone proves
 * nothing: the `Host` header shows by which name it was called (DNS rebinding), `Origin` shows whose page calls.
 */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Whether `Host` names this machine and our port. */
export function isLoopbackHost(host: string | undefined, port: number): host is string {
  if (host === undefined) return false;
  const name = host.toLowerCase();
  return LOOPBACK_NAMES.some((loopback) => name === `${loopback}:${port}` || (port === 80 && name === loopback));
}

/** Whether the page that calls came from this very server, by the name under which it is called now. */
export function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`;
}
