import * as v from 'valibot';
import { CheckpointError } from '../../../../shared/contract/errors';
import { lastValue } from '../../configKey';
import type { Endpoint, TransferOperation } from './endpoint';
import type { Settings } from './transferSettings';
import { runProgram, userEnvironment } from './userGit';

/** What the server said of its API: where it is, what to send along, until when. */
export interface ApiAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; `null`: no end is known. */
  readonly expires: number | null;
}

export interface SshContext {
  readonly settings: Settings;
  readonly folder: string;
  readonly interactive: boolean;
  readonly signal?: AbortSignal | undefined;
}

const answerSchema = v.object({
  href: v.optional(v.string()),
  header: v.optional(v.nullable(v.record(v.string(), v.string()))),
  expires_in: v.optional(v.nullable(v.number())),
  expires_at: v.optional(v.nullable(v.string())),
});

/**
 * Asks the server of an ssh remote where its LFS API is: `ssh [user@]host git-lfs-authenticate PATH OPERATION` (docs/api/server-discovery.md,
 * "SSH"), with the ssh that git would use. @throws permission when the server refuses, malformed for another answer
 */
export async function sshAuthenticate(endpoint: Extract<Endpoint, { kind: 'ssh' }>, operation: TransferOperation, context: SshContext): Promise<ApiAccess> {
  const remoteCommand = `git-lfs-authenticate ${shellQuote(endpoint.path)} ${operation}`;
  const target = `${endpoint.user === null ? '' : `${endpoint.user}@`}${endpoint.host.replace(/^\[(.*)\]$/, '$1')}`;
  const ssh = sshProgram(context.settings, process.env);
  const port = endpoint.port === null ? [] : [ssh.portOption, endpoint.port];
  const { code, stdout, stderr } = await runProgram({
    executable: ssh.executable,
    args: [...ssh.args, ...port, target, remoteCommand],
    folder: context.folder,
    environment: userEnvironment(context.interactive),
    output: 'collect',
    signal: context.signal,
  });
  if (code !== 0) {
    throw new CheckpointError('permission', `The server ${endpoint.host} did not say where its Git LFS objects are.`, {
      hint: `It was asked through ssh: ${lastLine(stderr) || `exit code ${code}`}. If it has no git-lfs-authenticate, set remote.NAME.lfsurl to the address of its Git LFS server.`,
      detail: stderr,
    });
  }
  return accessOf(endpoint, stdout);
}

function accessOf(endpoint: Extract<Endpoint, { kind: 'ssh' }>, stdout: string): ApiAccess {
  const answer = v.safeParse(v.pipe(v.string(), v.transform(parseJson), answerSchema), stdout);
  if (!answer.success) {
    throw new CheckpointError('malformed', `The server ${endpoint.host} answered git-lfs-authenticate with something else than its JSON.`, {
      detail: stdout.slice(0, 2000),
    });
  }
  const { href, header, expires_in, expires_at } = answer.output;
  const url = href === undefined || href === '' ? endpoint.url : href.replace(/\/+$/, '');
  if (!/^https?:\/\//i.test(url)) throw new CheckpointError('malformed', `The server ${endpoint.host} names an LFS address that is none of http or https.`);
  return { url, headers: header ?? {}, expires: expiry({ expires_in, expires_at }) };
}

/** When an action ends, in milliseconds since 1970; `expires_in` is preferred (docs/api/batch.md). */
export function expiry(times: { readonly expires_in?: number | null | undefined; readonly expires_at?: string | null | undefined }): number | null {
  if (typeof times.expires_in === 'number' && times.expires_in !== 0) return Date.now() + times.expires_in * 1000;
  const at = typeof times.expires_at === 'string' ? Date.parse(times.expires_at) : Number.NaN;
  // Go's zero time, which servers send for "never".
  return Number.isNaN(at) || at <= 0 ? null : at;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** git's own order: GIT_SSH_COMMAND, core.sshCommand (both for the shell), GIT_SSH, ssh. */
function sshProgram(settings: Settings, environment: NodeJS.ProcessEnv): { executable: string; args: readonly string[]; portOption: string } {
  const command = environment.GIT_SSH_COMMAND || lastValue(settings, 'core.sshCommand') || '';
  const program = command === '' ? environment.GIT_SSH || 'ssh' : command;
  const portOption = /(?:^|[\\/])(?:tortoise)?plink(?:\.exe)?(?:\s|$)/i.test(program) ? '-P' : '-p';
  if (command === '') return { executable: program, args: [], portOption };
  return { executable: 'sh', args: ['-c', `${command} "$@"`, 'ssh'], portOption };
}

function shellQuote(text: string): string {
  return /^[A-Za-z0-9_./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
