import { headCommit, NO_COMMIT } from '../../../shared/model/commit';
import { blobId } from '../../git/blobId';
import { parseMetadata } from '../../theta/parseMetadata';
import type { OpenedRepository } from '../repositories/openedRepository';
import { chainObjects } from './chainObjects';
import { ensureObjectsIfRemote, type FetchOptions } from './ensureObjects';
import { atPlace, type NeededObject } from './remoteContext';

export interface FilterMetadata {
  /** The metadata file that git wants turned into a checkpoint. */
  readonly metadata: Uint8Array;
  /** Its path in the repository. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * For git's smudge filter: downloads what is missing of a version that the user has git check out. Does nothing when `theta.autofetch` is false or
 * there is no remote; what then is missing, the filter reports.
 * @throws missing-object with its place when the remote lacks it too; permission, disconnected ... when the remote gives nothing
 */
export async function fetchMissing(repository: OpenedRepository, { metadata, path, signal }: FilterMetadata): Promise<void> {
  if (/^(?:false|no|off|0)$/i.test((await repository.git.config('theta.autofetch')) ?? 'true')) return;
  const parsed = parseMetadata(metadata, path);
  // git's stderr is the user's terminal when it runs in one.
  const options: FetchOptions = { remote: null, interactive: process.stderr.isTTY === true, signal };
  // While git checks out, HEAD may be another commit, or none: it is needed where a base is searched in the history.
  const commit = headCommit(await repository.git.head()) ?? NO_COMMIT;
  // The same key that the filter gives this metadata.
  const place = { commit, path, blob: blobId(metadata, 40) };
  const get = async (objects: readonly NeededObject[]) => void (await ensureObjectsIfRemote(repository, objects, options));
  const { objects } = await chainObjects(repository, { place, entries: [...parsed.entries.values()], get, signal });
  const ensured = await ensureObjectsIfRemote(repository, objects, options);
  const [failed] = ensured?.failed ?? [];
  if (failed !== undefined) throw atPlace(failed.error, { ...failed.object, commit: null });
}
