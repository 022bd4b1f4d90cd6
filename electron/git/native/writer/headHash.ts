import { type CommitHash, isCommitHash } from '../../../../shared/model/commit';
import { runWriter } from './runWriter';
import type { WriterContext } from './writerContext';

/** Commit that is checked out; `null` on an unborn branch. */
export function headHash(context: WriterContext): Promise<CommitHash | null> {
  return hashOf(context, 'HEAD');
}

/** Commit that a full ref or hash ends at; `null` when there is none. */
export async function hashOf(context: WriterContext, ref: string): Promise<CommitHash | null> {
  const { output } = await runWriter(context, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { what: 'read a ref', answers: [0, 1, 128] });
  const hash = output.toString('latin1').trim();
  return isCommitHash(hash) ? hash : null;
}
