import type { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import { checkLfsObject } from '../../git/lfs/checkLfsObject';
import { mapLimited } from '../mapLimited';
import type { OpenedRepository } from '../repositories/openedRepository';
import type { NeededObject, RemoteContext } from './remoteContext';

const CONCURRENT_LOOKS = 32;

export interface FetchOptions {
  /** Name of a remote, or an address; `null`: the one that git would fetch from. */
  readonly remote: string | null;
  /** There is a terminal at which git may ask for a password. */
  readonly interactive: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface EnsuredObjects {
  /** `null` when nothing had to be asked for. */
  readonly where: string | null;
  readonly present: readonly NeededObject[];
  readonly fetched: readonly NeededObject[];
  readonly failed: readonly { readonly object: NeededObject; readonly error: CheckpointError }[];
}

/**
 * Downloads those objects that are not here, or not with their size. Only for what the user asked for: nothing leaves the machine by itself.
 * @throws not-found without a remote; permission, disconnected ... when the remote gives nothing. Single objects that it does not have are reported.
 */
export async function ensureObjects(repository: OpenedRepository, objects: Iterable<NeededObject>, options: FetchOptions): Promise<EnsuredObjects> {
  const { present, missing } = await sortOut(repository, objects);
  if (missing.length === 0) return { where: null, present, fetched: [], failed: [] };
  const { findRemote } = await remotes();
  return { present, ...(await download(repository, missing, { ...options, context: await findRemote(repository, options.remote, 'download') })) };
}

/** The same where there may be no remote: `null` then, if something is missing. */
export async function ensureObjectsIfRemote(
  repository: OpenedRepository,
  objects: Iterable<NeededObject>,
  options: FetchOptions,
): Promise<EnsuredObjects | null> {
  const { present, missing } = await sortOut(repository, objects);
  if (missing.length === 0) return { where: null, present, fetched: [], failed: [] };
  const { findRemoteIfAny } = await remotes();
  const context = await findRemoteIfAny(repository, options.remote, 'download');
  return context === null ? null : { present, ...(await download(repository, missing, { ...options, context })) };
}

/** Nearly always everything is here: git's filter, which git waits for, starts without what asks servers. */
const remotes = () => import('./remoteContext');

async function sortOut(repository: OpenedRepository, objects: Iterable<NeededObject>) {
  const byOid = new Map<string, NeededObject>();
  for (const object of objects) if (!byOid.has(object.oid)) byOid.set(object.oid, object);
  const all = [...byOid.values()];
  const errors = await mapLimited(all, ({ oid, bytes }) => checkLfsObject({ oid, bytes, path: repository.lfs.pathOf(oid) }), { limit: CONCURRENT_LOOKS });
  return { present: all.filter((_, index) => errors[index] === null), missing: all.filter((_, index) => errors[index] !== null) };
}

async function download(repository: OpenedRepository, missing: readonly NeededObject[], options: FetchOptions & { readonly context: RemoteContext }) {
  const { context, interactive, signal, onProgress } = options;
  const { openRemote } = await remotes();
  const transfer = await openRemote(repository, context, { operation: 'download', interactive });
  try {
    const report = await transfer.move(missing, { signal, onProgress });
    const byOid = new Map(missing.map((object) => [object.oid, object]));
    const named = <T extends { readonly oid: string }>({ oid }: T) => byOid.get(oid);
    return {
      where: transfer.where,
      fetched: report.moved.map(named).filter((object) => object !== undefined),
      failed: report.failed.flatMap(({ object, error }) => {
        const needed = named(object);
        return needed === undefined ? [] : [{ object: needed, error }];
      }),
    };
  } finally {
    transfer.close();
  }
}
