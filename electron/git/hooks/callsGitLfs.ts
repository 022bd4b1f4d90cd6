/** Quoted text, an escaped character, a comment: whichever begins first. */
const NO_COMMANDS = /"(?:[^"\\]|\\.)*"|'[^']*'|\\.|(?<![^\s;&|(){}])#[^\n]*/gs;

/** `set -e`, and the test for git-lfs with which its own hook begins and which refuses the push. */
const BEFORE = [/^set(?: [-+]\w+)+$/, /^(?:command -v|type|which|hash) git-lfs\b[^|;&]*(?:&1[^|;&]*)?\|\| ?\{[^{}]*\bexit [1-9]\d*;? ?\}$/];

const CALL = /^(?:exec )?git[ -]lfs pre-push (?:\$[@*]|\$1 \$2)(?: ?\|\| ?exit(?: (?:\$\?|[1-9]\d*))?)?;?$/;

/**
 * Whether a pre-push hook surely hands what is pushed to git-lfs, and refuses the push when git-lfs fails. So do the hooks that git-lfs writes. In
 * any other, the call may be left out, find its input read by a command before it, or have its failure ignored; then the answer is no.
 */
export function callsGitLfs(content: string): boolean {
  if (!/^#! ?\S*(?:\/|env )(?:ba|da|k|z)?sh\s/.test(content)) return false;
  const lines = content
    .replace(/\r\n/g, '\n')
    .replace(NO_COMMANDS, withoutText)
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
  const call = lines.pop();
  return call !== undefined && CALL.test(call) && lines.every((line) => BEFORE.some((allowed) => allowed.test(line)));
}

/** Only the arguments that a hook is given count as what they are. */
function withoutText(text: string): string {
  if (text.startsWith('#')) return '';
  if (text.startsWith('\\')) return text === '\\\n' ? ' ' : 'x';
  return /^"\$[@*12]"$/.test(text) ? text.slice(1, -1) : '""';
}
