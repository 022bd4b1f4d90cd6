import { CheckpointError } from '../../../shared/contract/errors';
import type { GitCommand } from '../native/gitProcess';
import { runWriter } from '../native/writer/runWriter';

/**
 * Makes sure that git can start the program, by having git's own shell run it: quoting, path and the right to run it are all tried at once.
 * @param version what the program answers to `--version`
 * @throws invalid-request
 */
export async function checkProgram(git: GitCommand, program: string, options: { readonly version: string; readonly signal?: AbortSignal }): Promise<void> {
  const answer = await runWriter({ command: git }, ['-c', `alias.theta-check=!${program} --version`, 'theta-check'], {
    what: 'start Theta Desktop',
    signal: options.signal,
  }).then(
    ({ output }) => ({ text: output.toString('utf8').trim(), detail: undefined }),
    (error: unknown) => {
      const failed = CheckpointError.from(error);
      if (failed.code === 'cancelled') throw failed;
      return { text: '', detail: failed.detail };
    },
  );
  if (answer.text.split('\n').at(-1) === options.version) return;
  throw new CheckpointError('invalid-request', 'git cannot start Theta Desktop from where it is; nothing was changed.', {
    hint: `Try it in a shell: ${program} --version`,
    detail: answer.detail ?? answer.text.slice(0, 1000),
  });
}
