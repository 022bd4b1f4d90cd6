import { type CommitHash, isCommitHash } from '../../../../shared/model/commit';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';

/** Commit that is checked out; `null` on an unborn branch. */
export async function headHash(context: WriterContext): Promise<CommitHash | null> {
  const { output } = await runWriter(context, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { what: 'read HEAD', answers: [0, 1] });
  const hash = output.toString('latin1').trim();
  return isCommitHash(hash) ? hash : null;
}
