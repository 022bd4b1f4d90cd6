import type { Settings } from './transferSettings';

interface Match {
  readonly value: string;
  /** Compared from the front; more is nearer. */
  readonly rank: readonly [host: number, path: number, user: number];
}

/**
 * Values of `http.<url>.<variable>` and `http.<variable>` that hold for an address, those of the nearest match only (git-config(1), "http.<url>.*"):
 * scheme and port must be equal, `*` stands for one part of the host, the path matches by whole components, a user name must be the same.
 */
export function httpSettings(settings: Settings, variable: string, url: URL): readonly string[] {
  const matches: Match[] = [];
  const plain = `http.${variable.toLowerCase()}`;
  const ending = `.${variable.toLowerCase()}`;
  for (const [key, value] of settings) {
    if (key === plain) matches.push({ value, rank: [-1, -1, -1] });
    else if (key.startsWith('http.') && key.endsWith(ending)) {
      const rank = rankOf(key.slice('http.'.length, -ending.length), url);
      if (rank !== null) matches.push({ value, rank });
    }
  }
  const best = matches.reduce<Match['rank'] | null>((rank, match) => (rank === null || compare(match.rank, rank) > 0 ? match.rank : rank), null);
  return best === null ? [] : matches.filter((match) => compare(match.rank, best) === 0).map((match) => match.value);
}

/** Last of the values that hold; `null` when there is none. */
export function httpSetting(settings: Settings, variable: string, url: URL): string | null {
  return httpSettings(settings, variable, url).at(-1) ?? null;
}

function compare(a: Match['rank'], b: Match['rank']): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function rankOf(pattern: string, url: URL): Match['rank'] | null {
  // A star is no character of a host name for the parser of addresses.
  const parts = /^(https?):\/\/(?:([^@/]*)@)?([^/:?#]+)(?::(\d+))?(\/[^?#]*)?$/i.exec(pattern);
  if (parts === null) return null;
  const [, scheme = '', user, host = '', port, path = '/'] = parts;
  if (`${scheme.toLowerCase()}:` !== url.protocol) return null;
  if (portOf(scheme, port) !== portOf(url.protocol.slice(0, -1), url.port)) return null;
  if (!hostMatches(host.toLowerCase(), url.hostname.toLowerCase())) return null;
  if (user !== undefined && decode(user.split(':')[0] ?? '') !== decode(url.username)) return null;
  const folder = path.endsWith('/') ? path.slice(0, -1) : path;
  if (url.pathname !== folder && !url.pathname.startsWith(`${folder}/`)) return null;
  // An exact host is nearer than one with stars, whatever their lengths.
  const exact = host.includes('*') ? 0 : 1000;
  return [exact + host.replaceAll('*', '').length, folder.length, user === undefined ? 0 : 1];
}

function portOf(scheme: string, port: string | undefined): string {
  if (port !== undefined && port !== '') return port;
  return scheme.toLowerCase() === 'https' ? '443' : '80';
}

function hostMatches(pattern: string, host: string): boolean {
  const wanted = pattern.split('.');
  const given = host.split('.');
  return wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index]);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
