import { CheckpointError } from '../../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../../shared/model/commit';
import { noSuchRevision } from '../objectErrors';
import type { NativeObjects } from './nativeObjects';

/** The commit that a revision names, as git understands it. A line of cat-file's input cannot become an option. @throws not-found, invalid-request */
export async function resolveNative(objects: NativeObjects, revision: string): Promise<CommitHash> {
  if (revision === '' || /[\0\n]/.test(revision)) throw noSuchRevision(revision);
  const found = await objects.find(`${revision}^{commit}`).catch((error: unknown) => {
    // Some revisions end the process with a complaint, such as an upstream that is not set.
    if (error instanceof CheckpointError && error.code === 'internal') return null;
    throw error;
  });
  // git says that a short hash fits several objects only when it is asked for the object itself.
  if (found === null && /^[0-9a-fA-F]{4,}$/.test(revision)) await objects.find(revision);
  if (found === null || !isCommitHash(found.oid)) throw noSuchRevision(revision);
  return found.oid;
}
