import { CheckpointError } from '../../../../shared/contract/errors';
import { type Credential, type CredentialStore, credentialInUrl } from './credentials';
import type { Endpoint, TransferOperation } from './endpoint';
import type { Headers } from './http/httpTypes';
import { type ApiAccess, type SshContext, sshAuthenticate } from './sshAuthenticate';
import type { Settings } from './transferSettings';
import { httpSettings } from './urlMatch';

/** Asked again and again for a password, one types it wrong this often. */
const MAX_REFUSALS = 3;
/** A token that ends this soon is not used any more, in milliseconds. */
const MARGIN = 5000;

export interface AccessOptions {
  readonly endpoint: Exclude<Endpoint, { kind: 'local' }>;
  readonly operation: TransferOperation;
  readonly settings: Settings;
  readonly credentials: CredentialStore;
  readonly ssh: SshContext;
}

interface CurrentCredential {
  readonly value: Credential;
  readonly from: 'address' | 'helper';
  /** The helper has heard that it is right. */
  approved: boolean;
}

/**
 * Who the user is to a server. Credentials go to the host of the API only: an address that the server names elsewhere gets what the server gave
 * for it, and settings that the user made for just that address.
 */
export class Access {
  readonly #options: AccessOptions;
  #known: ApiAccess | null;
  #credential: CurrentCredential | null = null;
  #asking: Promise<ApiAccess> | null = null;
  #replacing: Promise<void> | null = null;
  #refusals = 0;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#known = options.endpoint.kind === 'http' ? { url: options.endpoint.url, headers: {}, expires: null } : null;
  }

  /** Address of the API at present. */
  async api(signal?: AbortSignal): Promise<URL> {
    return new URL((await this.#current(signal)).url);
  }

  /** Headers for an address: configured ones, and who the user is when it is the API's own host. */
  headers(url: URL): Headers {
    const own = this.#isOwn(url);
    const headers: Record<string, string | readonly string[]> = {};
    for (const [name, value] of extraHeaders(this.#options.settings, url, own)) {
      const before = headers[name];
      headers[name] = before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value];
    }
    if (!own) return headers;
    Object.assign(headers, this.#known?.headers);
    if (this.#credential !== null && authorizationIn(headers) === undefined) headers.Authorization = basic(this.#credential.value);
    return headers;
  }

  /**
   * A request that sent `sent` for its Authorization was answered 401: gets other credentials, unless there are others by now.
   * @throws permission when there are none
   */
  async refused(url: URL, request: { readonly sent: unknown; readonly signal?: AbortSignal | undefined }): Promise<void> {
    if (!this.#isOwn(url)) throw denied(url);
    // Several requests run at once: one that left before the credentials came must not have them taken away.
    if (this.#replacing === null && authorizationIn(this.headers(url)) !== request.sent) return;
    this.#replacing ??= this.#replace(url, request.signal).finally(() => {
      this.#replacing = null;
    });
    await this.#replacing;
  }

  /** A request was let in: the helpers may keep what they gave. */
  async accepted(url: URL): Promise<void> {
    const credential = this.#credential;
    if (credential === null || credential.approved || !this.#isOwn(url) || this.#known === null) return;
    credential.approved = true;
    this.#refusals = 0;
    await this.#options.credentials.approve(new URL(this.#known.url), credential.value);
  }

  #isOwn(url: URL): boolean {
    return this.#known !== null && new URL(this.#known.url).origin === url.origin;
  }

  async #current(signal?: AbortSignal): Promise<ApiAccess> {
    const { endpoint, operation, ssh } = this.#options;
    const known = this.#known;
    if (known !== null && (endpoint.kind === 'http' || known.expires === null || known.expires > Date.now() + MARGIN)) return known;
    if (endpoint.kind === 'http') throw new TypeError('an address that is not known');
    this.#asking ??= sshAuthenticate(endpoint, operation, { ...ssh, signal }).finally(() => {
      this.#asking = null;
    });
    this.#known = await this.#asking;
    return this.#known;
  }

  async #replace(url: URL, signal?: AbortSignal): Promise<void> {
    const { endpoint, credentials } = this.#options;
    this.#refusals++;
    if (endpoint.kind === 'ssh' && authorizationIn(this.#known?.headers ?? {}) !== undefined) {
      if (this.#refusals > 1) throw denied(url);
      this.#known = null;
      await this.#current(signal);
      return;
    }
    const base = this.#known === null ? url : new URL(this.#known.url);
    const refused = this.#credential;
    this.#credential = null;
    const written = credentialInUrl(base);
    if (refused === null && written !== null) {
      this.#credential = { value: written, from: 'address', approved: true };
      return;
    }
    if (refused?.from === 'helper') await credentials.reject(base, refused.value);
    if (this.#refusals > MAX_REFUSALS || refused?.from === 'address') throw denied(url);
    const filled = await credentials.fill(base, signal);
    if (filled === null || sameCredential(filled, refused?.value)) throw denied(url);
    this.#credential = { value: filled, from: 'helper', approved: false };
  }
}

/** The Authorization among headers, however it is spelled. */
export function authorizationIn(headers: Headers): string | readonly string[] | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

/** `http.extraHeader`: an empty value forgets those before it. One for all addresses stays with the API's own host: it may hold a token. */
function extraHeaders(settings: Settings, url: URL, own: boolean): readonly (readonly [string, string])[] {
  const usable = own ? settings : settings.filter(([key]) => key !== 'http.extraheader');
  const values = httpSettings(usable, 'extraHeader', url);
  return values
    .slice(values.lastIndexOf('') + 1)
    .map((line) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name = '', value = '']) => [name, value.trimEnd()] as const);
}

function basic({ username, password }: Credential): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

function sameCredential(a: Credential, b: Credential | undefined): boolean {
  return b !== undefined && a.username === b.username && a.password === b.password;
}

function denied(url: URL): CheckpointError {
  return new CheckpointError('permission', `The server ${url.host} does not know you.`, {
    hint: 'Log in with git there, for example with a credential helper (git help credentials), or put an access token into it.',
  });
}
