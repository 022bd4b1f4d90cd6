import type { ThetaVersion } from '../checkpoints/openTheta';
import type { OpenedRepository } from '../repositories/openedRepository';
import { chainObjects } from './chainObjects';
import { ensureObjectsIfRemote, type FetchOptions } from './ensureObjects';
import type { NeededObject } from './remoteContext';

/** The version that git wants turned into a checkpoint. */
export interface WantedVersion extends ThetaVersion {
  readonly signal?: AbortSignal | undefined;
}

/**
 * For git's smudge filter: downloads what is missing of a version that the user has git check out. Does nothing when `theta.autofetch` is false or
 * there is no remote; what then is missing, the filter reports.
 * @throws missing-object with its place when the remote lacks it too; permission, disconnected ... when the remote gives nothing
 */
export async function fetchMissing(repository: OpenedRepository, { metadata, commit, path, blob, signal }: WantedVersion): Promise<void> {
  if (/^(?:false|no|off|0)$/i.test((await repository.git.config('theta.autofetch')) ?? 'true')) return;
  // git's stderr is the user's terminal when it runs in one.
  const options: FetchOptions = { remote: null, interactive: process.stderr.isTTY === true, signal };
  const get = async (objects: readonly NeededObject[]) => void (await ensureObjectsIfRemote(repository, objects, options));
  const { objects } = await chainObjects(repository, { place: { commit, path, blob }, entries: [...metadata.entries.values()], get, signal });
  const ensured = await ensureObjectsIfRemote(repository, objects, options);
  const [failed] = ensured?.failed ?? [];
  if (failed === undefined) return;
  const { atPlace } = await import('./remoteContext');
  throw atPlace(failed.error, { ...failed.object, commit: null });
}
