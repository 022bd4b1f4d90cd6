import { withoutRedirection } from '../gitEnvironment';

/**
 * The environment for a git that changes a repository: the user's own, with names, dates, configuration and ssh commands, so that hooks,
 * filters and signing work as on the command line. Only what would redirect git is left out, and nothing waits for an answer.
 */
export function writerEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(withoutRedirection(base)).filter(([name]) => !name.startsWith('GIT_TRACE'));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    NoDefaultCurrentDirectoryInExePath: '1',
  };
}
