import { decodeUtf8 } from '../../decodeText';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';

export interface CoreSettings {
  /** The file system makes no difference between capitals and small letters. */
  readonly ignoreCase: boolean;
  /** The file system knows which files may be executed. */
  readonly fileMode: boolean;
}

/** What `git init` found out about the file system (git-config(1)). */
export async function coreSettings(context: WriterContext): Promise<CoreSettings> {
  const args = ['config', '-z', '--type=bool', '--get-regexp', '^core\\.(ignorecase|filemode)$'];
  const { output } = await runWriter(context, args, { what: 'read its configuration', answers: [0, 1] });
  const values = new Map(
    decodeUtf8(output)
      .split('\0')
      .map((item) => [item.slice(0, item.indexOf('\n')), item.slice(item.indexOf('\n') + 1)]),
  );
  return { ignoreCase: values.get('core.ignorecase') === 'true', fileMode: values.get('core.filemode') !== 'false' };
}
