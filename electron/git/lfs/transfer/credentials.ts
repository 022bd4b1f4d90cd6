import { CheckpointError } from '../../../../shared/contract/errors';
import type { GitCommand } from '../../native/gitProcess';
import { runProgram, userEnvironment } from './userGit';

export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** git's credential helpers (git-credential(1)). */
export interface CredentialStore {
  /** `null`: the helpers know none, and nobody can be asked. */
  fill(url: URL, signal?: AbortSignal): Promise<Credential | null>;
  approve(url: URL, credential: Credential): Promise<void>;
  reject(url: URL, credential: Credential): Promise<void>;
}

/** Credentials from what the user's git is configured to ask; `interactive`: there is a terminal at which git may ask. */
export function gitCredentials(command: GitCommand, interactive: boolean): CredentialStore {
  const run = (verb: string, input: string, options: { readonly output: 'collect' | 'ignore'; readonly signal?: AbortSignal | undefined }) =>
    runProgram({
      executable: command.executable,
      args: [...command.place, 'credential', verb],
      folder: command.folder,
      environment: userEnvironment(interactive),
      input,
      ...options,
    });
  const tell = async (verb: 'approve' | 'reject', url: URL, credential: Credential) => {
    // A helper that cannot store is no reason to stop a transfer that works.
    await run(verb, requestFor(url, credential), { output: 'ignore' }).catch(() => {});
  };
  return {
    async fill(url, signal) {
      const { code, stdout } = await run('fill', requestFor(url, null), { output: 'collect', signal });
      return code === 0 ? parseCredential(stdout) : null;
    },
    approve: (url, credential) => tell('approve', url, credential),
    reject: (url, credential) => tell('reject', url, credential),
  };
}

/** User name and password that an address holds itself; without a password: `null`. */
export function credentialInUrl(url: URL): Credential | null {
  return url.password === '' ? null : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}

function requestFor(url: URL, credential: Credential | null): string {
  const username = credential?.username ?? decodeURIComponent(url.username);
  const fields: readonly (readonly [string, string])[] = [
    ['protocol', url.protocol.slice(0, -1)],
    ['host', url.host],
    ['path', decodeURIComponent(url.pathname.slice(1))],
    ...(username === '' ? [] : [['username', username] as const]),
    ...(credential === null ? [] : [['password', credential.password] as const]),
  ];
  return `${fields.map(([key, value]) => `${key}=${oneLine(value)}\n`).join('')}\n`;
}

/** A line break in an address would make git ask for the credentials of another host. */
function oneLine(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000\r\n]/.test(value)) throw new CheckpointError('invalid-request', 'The address of the Git LFS server holds line breaks.');
  return value;
}

function parseCredential(text: string): Credential | null {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const equals = line.indexOf('=');
      return [line.slice(0, Math.max(0, equals)), line.slice(equals + 1).replace(/\r$/, '')];
    }),
  );
  const username = fields.get('username');
  const password = fields.get('password');
  return username === undefined || password === undefined || password === '' ? null : { username, password };
}
