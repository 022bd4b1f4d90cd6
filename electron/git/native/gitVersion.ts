import { tmpdir } from 'node:os';
import { findGit } from './findGit';
import { runGit } from './gitProcess';

/** Older ones lack `--end-of-options` or print differently. */
const OLDEST = [2, 24] as const;

export interface NativeGit {
  readonly executable: string;
  /** As git says it, such as `2.39.5`. */
  readonly version: string;
}

/** The git of this machine; `null` when there is none, when it does not run, or when it is older than 2.24. */
export async function findNativeGit(searchPath: string = process.env.PATH ?? ''): Promise<NativeGit | null> {
  const executable = await findGit(searchPath);
  if (executable === null) return null;
  const answer = answers.get(executable) ?? askVersion(executable);
  answers.set(executable, answer);
  const git = await answer;
  // It may be repaired or brought up to date.
  if (git === null) answers.delete(executable);
  return git;
}

/** What was found out about executables: one that can be used does not become older. */
const answers = new Map<string, Promise<NativeGit | null>>();

async function askVersion(executable: string): Promise<NativeGit | null> {
  const answer = await runGit({ executable, folder: tmpdir(), place: [] }, ['--version'], { what: 'tell its version' }).catch(() => null);
  const match = answer === null ? null : /^git version ((\d+)\.(\d+)\S*)/.exec(answer.output.toString('utf8'));
  if (match === null) return null;
  const [, version = '', major, minor] = match;
  const newEnough = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  return newEnough ? { executable, version } : null;
}
