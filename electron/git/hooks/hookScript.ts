/** Hooks of git that the program takes part in; those with `input` are told what happened on standard input (githooks(5)). */
export const HOOKS = [
  { name: 'pre-push', input: true, decides: true },
  { name: 'post-commit', input: false, decides: false },
  { name: 'post-merge', input: false, decides: false },
  { name: 'post-rewrite', input: true, decides: false },
] as const satisfies readonly { readonly name: string; readonly input: boolean; readonly decides: boolean }[];
export type Hook = (typeof HOOKS)[number];

/** The x keeps the newlines at the end, which a substitution would drop. */
const READ_INPUT = `input=$(cat; printf x)
input=\${input%x}
`;

/** By this line a hook is known as one of ours. */
const MARK = '# Theta Desktop hook';

/** Names under which hooks that were there before are kept, in the order in which they run. */
export const FORMER_SUFFIXES = ['.before-theta', ...Array.from({ length: 8 }, (_, i) => `.before-theta-${i + 2}`)] as const;

export function isOurHook(content: string): boolean {
  return content.split('\n', 3).includes(MARK);
}

/**
 * A hook for the POSIX shell. The former hooks get the same arguments and the same standard input; one that fails decides where the hook
 * decides (a push is refused), and elsewhere stops nothing.
 * @param program beginning of the command line, quoted for the shell
 */
export function hookScript({ name, input, decides }: Hook, program: string): string {
  const feed = input ? `printf '%s' "$input" | ` : '';
  return `#!/bin/sh
${MARK}
# Written by "theta install --local"; "theta uninstall --local" takes it away. A hook that was here before is kept
# as ${name}${FORMER_SUFFIXES[0]} and runs first.
${input ? READ_INPUT : ''}for former in "$0"${FORMER_SUFFIXES[0]} "$0"${FORMER_SUFFIXES[0]}-[2-9]; do
  if [ -f "$former" ] && [ -x "$former" ]; then
    ${feed}"$former" "$@"${decides ? ' || exit $?' : ' || :'}
  fi
done
${feed}${program} hook ${name} "$@"
status=$?
if [ $status -eq 126 ] || [ $status -eq 127 ]; then
  echo 'theta: Theta Desktop is not any more where it was installed from; run "theta install --local" where it is now.' >&2
fi
exit $status
`;
}
