import { isCheckpointError } from '../../../../shared/contract/errors';
import { decodeUtf8 } from '../../decodeText';
import type { Identity } from '../../gitWriter';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';

/** The author that git would write into a commit, from environment and configuration; `null` when it would refuse to commit. */
export async function readIdentity(context: WriterContext): Promise<Identity | null> {
  try {
    const { output } = await runWriter(context, ['var', 'GIT_AUTHOR_IDENT'], { what: 'tell who commits' });
    const [, name, email] = /^([\s\S]*) <([^<>]*)> \d+ [+-]\d+\n?$/.exec(decodeUtf8(output)) ?? [];
    return name === undefined || email === undefined ? null : { name, email };
  } catch (error) {
    if (isCheckpointError(error, 'invalid-request')) return null;
    throw error;
  }
}
