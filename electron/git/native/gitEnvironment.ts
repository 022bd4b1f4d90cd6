import { devNull } from 'node:os';

/**
 * Variables that would point git at another repository, index or object store than the one that was opened, or have it read
 * names in another way. git sets several of them for the hooks and filters it starts (`git rev-parse --local-env-vars`).
 */
const REDIRECTING: ReadonlySet<string> = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_INDEX_VERSION',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_CONFIG',
  'GIT_ATTR_SOURCE',
  'GIT_ICASE_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_LITERAL_PATHSPECS',
]);

/** Variables that would have git run or print something. */
const TALKING: ReadonlySet<string> = new Set([
  'GIT_EXTERNAL_DIFF',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_PROXY_COMMAND',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_DIFF_OPTS',
  'GIT_FLUSH',
  'GIT_REF_PARANOIA',
]);

/** An environment in which git looks where it is told to, also when a hook or filter of another repository started this program. */
export function withoutRedirection(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(base).filter(([name]) => !REDIRECTING.has(name)));
}

/** The environment for every git process that reads: the user's, without what would redirect it, and with all talking switched off. */
export function gitEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(withoutRedirection(base)).filter(([name]) => !TALKING.has(name) && !name.startsWith('GIT_TRACE'));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GCM_INTERACTIVE: 'never',
    // Reading must not take the index lock to refresh stat data.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    // A partial clone would fetch what is missing, through programs that its configuration names. The first variable
    // stops that where git knows it; the second leaves no protocol to do it with, and overrides protocol.*.allow.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    NoDefaultCurrentDirectoryInExePath: '1',
  };
}

/** Settings that would start a program, overridden on the command line, which outranks every configuration file. */
const NEUTRAL_SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.pager=cat',
  'core.editor=false',
  'core.sshCommand=false',
  'core.askPass=',
  'core.gitProxy=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'log.showSignature=false',
  'uploadpack.packObjectsHook=',
  'protocol.allow=never',
  'maintenance.auto=false',
  'gc.auto=0',
  'submodule.recurse=false',
] as const;

export const NEUTRAL_ARGUMENTS: readonly string[] = ['--no-pager', ...NEUTRAL_SETTINGS.flatMap((setting) => ['-c', setting])];
