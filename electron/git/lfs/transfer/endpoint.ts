import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CheckpointError } from '../../../../shared/contract/errors';
import { lastValue } from '../../configKey';
import { redactUrl } from '../../redactUrl';
import type { Settings } from './transferSettings';
import { applyUrlAliases } from './urlAliases';

export type TransferOperation = 'upload' | 'download';

/** Where a remote keeps its objects. */
export type Endpoint =
  /** Address of the API, without a slash at its end; may hold a user name and a password. */
  | { readonly kind: 'http'; readonly url: string }
  /** The server is asked through ssh where its API is; `url` when it does not say. */
  | { readonly kind: 'ssh'; readonly host: string; readonly user: string | null; readonly port: string | null; readonly path: string; readonly url: string }
  /** A repository on this machine. */
  | { readonly kind: 'local'; readonly path: string };

export interface EndpointQuery {
  /** Name of a remote, or an address. */
  readonly remote: string;
  readonly operation: TransferOperation;
  /** Folder that a relative path starts from: the root of the work tree. */
  readonly folder: string;
}

/**
 * The endpoint of a remote as git-lfs finds it (docs/api/server-discovery.md): `lfs.pushurl`, `lfs.url`, `remote.<name>.lfspushurl`,
 * `remote.<name>.lfsurl`, else the address of the remote itself with `.git/info/lfs`. @throws not-found for a remote that is not configured,
 * invalid-request for an address that no object can be sent to
 */
export function findEndpoint(settings: Settings, query: EndpointQuery): Endpoint {
  const push = query.operation === 'upload';
  const value = (key: string) => lastValue(settings, key);
  const named =
    (push ? value('lfs.pushurl') : null) ??
    value('lfs.url') ??
    (push ? value(`remote.${query.remote}.lfspushurl`) : null) ??
    value(`remote.${query.remote}.lfsurl`);
  if (named !== null && named !== '') return parseEndpoint(applyUrlAliases(settings, named, push), { ...query, clone: false });
  const pushUrl = push ? value(`remote.${query.remote}.pushurl`) : null;
  const url = pushUrl ?? value(`remote.${query.remote}.url`) ?? asAddress(query.remote);
  if (url === null) {
    throw new CheckpointError('not-found', `There is no remote called ${query.remote}.`, { hint: 'Add it with git remote add, or name one of git remote -v.' });
  }
  // An address for pushing is taken as it is: pushInsteadOf speaks of the others.
  return parseEndpoint(applyUrlAliases(settings, url, push && pushUrl === null), { ...query, clone: true });
}

/** Whether a remote of this name is configured. */
export function isConfiguredRemote(settings: Settings, remote: string): boolean {
  return ['url', 'pushurl', 'lfsurl'].some((variable) => lastValue(settings, `remote.${remote}.${variable}`) !== null);
}

/** For messages: without user name and password. */
export function describeEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'local' ? endpoint.path : redactUrl(endpoint.url);
}

function asAddress(text: string): string | null {
  return /[/\\:]/.test(text) ? text : null;
}

interface Reading {
  readonly folder: string;
  /** The address is one to clone from, not that of the API. */
  readonly clone: boolean;
}

function parseEndpoint(address: string, { folder, clone }: Reading): Endpoint {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'http':
    case 'https':
      return { kind: 'http', url: apiUrl(parseUrl(address), clone) };
    case 'git': {
      const url = parseUrl(address);
      return { kind: 'http', url: apiUrl(parseUrl(`https://${url.host}${url.pathname}`), clone) };
    }
    case 'ssh':
    case 'git+ssh':
    case 'ssh+git': {
      const url = parseUrl(`ssh://${address.slice(address.indexOf('://') + 3)}`);
      const user = url.username === '' ? null : decodeURIComponent(url.username);
      return sshEndpoint({ host: url.hostname, user, port: url.port === '' ? null : url.port, path: decodeURIComponent(url.pathname) }, clone);
    }
    case 'file':
      return { kind: 'local', path: localPath(address) };
    case undefined:
      return withoutScheme(address, { folder, clone });
    default:
      throw unusable(address);
  }
}

function withoutScheme(address: string, { folder, clone }: Reading): Endpoint {
  const drive = process.platform === 'win32' && /^[A-Za-z]:[\\/]/.test(address);
  const scp = drive || isAbsolute(address) ? null : /^(?:([^@/\\]+)@)?(\[[^\]/]+\]|[^:/\\[\]]+):([^:].*|)$/s.exec(address);
  if (scp !== null) {
    const [, user = null, host = '', path = ''] = scp;
    return sshEndpoint({ host, user, port: null, path }, clone);
  }
  if (/^[^/\\]*::/.test(address)) throw unusable(address);
  return { kind: 'local', path: resolve(folder, address) };
}

function sshEndpoint(place: { host: string; user: string | null; port: string | null; path: string }, clone: boolean): Endpoint {
  const { host, user, path } = place;
  // What starts with a dash would be an option of ssh, or of the program on the other side.
  const parts = [host, user ?? '', path];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (host === '' || path === '' || parts.some((part) => part.startsWith('-') || /[\u0000-\u001f\u007f]/.test(part))) throw unusable(`${host}:${path}`);
  const separator = path.startsWith('/') ? '' : '/';
  const url = apiUrl(parseUrl(`https://${host}${separator}${path.split('/').map(encodeURIComponent).join('/')}`), clone);
  return { kind: 'ssh', ...place, url };
}

function apiUrl(url: URL, clone: boolean): string {
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = clone ? `${path}${path.endsWith('.git') ? '' : '.git'}/info/lfs` : path;
  return url.toString().replace(/\/$/, '');
}

function parseUrl(address: string): URL {
  try {
    const url = new URL(address);
    decodeURIComponent(`${url.username}${url.password}${url.pathname}`);
    return url;
  } catch {
    throw unusable(address);
  }
}

function localPath(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    throw unusable(address);
  }
}

function unusable(address: string): CheckpointError {
  return new CheckpointError('invalid-request', `Objects cannot be exchanged with this address: ${redactUrl(address)}`, {
    hint: 'Set remote.NAME.lfsurl to the address of a Git LFS server (https, ssh or file).',
  });
}
