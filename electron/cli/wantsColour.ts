import type { GitRepository } from '../git/gitRepository';

export interface ColourQuestion {
  /** `null` outside of a repository. */
  readonly repository: { readonly git: Pick<GitRepository, 'config'> } | null;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the standard output is a terminal. */
  readonly terminal: boolean;
}

/**
 * Whether a diff is coloured. git tells an external diff nothing about `--color`, so its settings are read again (git-config(1): `color.diff`, else
 * `color.ui`; `color.pager`), and `NO_COLOR` (no-color.org) outranks what is not `always`.
 */
export async function wantsColour({ repository, environment, terminal }: ColourQuestion): Promise<boolean> {
  const setting = (key: string) => repository?.git.config(key) ?? null;
  const colour = ((await setting('color.diff')) ?? (await setting('color.ui')) ?? 'auto').toLowerCase();
  if (colour === 'always') return true;
  if (NO.has(colour) || (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb') return false;
  if (terminal) return true;
  return environment.GIT_PAGER_IN_USE === 'true' && !NO.has(((await setting('color.pager')) ?? 'true').toLowerCase());
}

const NO: ReadonlySet<string> = new Set(['never', 'false', 'no', 'off', '0']);
