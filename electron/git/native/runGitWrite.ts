import { type GitCommand, type GitRunOptions, runGit } from './gitProcess';

/**
 * Runs git to change something that the user asked to change: with the user's own environment and configuration, hooks and filters
 * included, as in a terminal. Cancelled, git is asked to end, so that it removes its lock files.
 * @throws what gitFailure makes of a failure, cancelled
 */
export async function runGitWrite(
  command: GitCommand,
  args: readonly string[],
  options: Omit<GitRunOptions, 'settings'>,
): Promise<{ readonly code: number; readonly output: Buffer }> {
  return runGit(command, args, { ...options, settings: 'own' });
}
