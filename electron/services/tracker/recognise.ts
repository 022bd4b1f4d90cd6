import { realpath, stat } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Output } from '../../../shared/contract/requests';
import type { TrackCandidate } from '../../../shared/contract/trackRequests';
import { headCommit } from '../../../shared/model/commit';
import { fileError } from '../../bytes/fileError';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import { mapLimited } from '../mapLimited';
import type { OpenedRepository } from '../repositories/openedRepository';
import { storedAs } from '../storedAs';
import { checkpointsIn, type FolderFiles } from './checkpointsIn';

const CONCURRENT = 8;

type Recognised = Output<'track/recognise'>;

/**
 * What files are, by their content, and where they would go: where they are when that is in the work tree, else over the only checkpoint of
 * the same name, else into the root. A folder stands for the checkpoints that lie in it and in folders of it.
 */
export async function recognise(repository: OpenedRepository | null, sources: readonly string[], signal?: AbortSignal): Promise<Recognised> {
  const places = repository === null ? null : await readPlaces(repository);
  const files: string[] = [];
  const refused: { source: string; error: ReturnType<CheckpointError['toData']> }[] = [];
  for (const source of sources) {
    try {
      const found = await filesOf(source, signal);
      files.push(...found.files);
      if (found.left !== null) refused.push({ source, error: found.left.toData() });
    } catch (error) {
      refused.push({ source, error: CheckpointError.from(error).toData() });
    }
  }
  const looked = await mapLimited(
    files,
    async (source) => {
      try {
        return await describeFile(source, { repository, places, signal });
      } catch (error) {
        signal?.throwIfAborted();
        return { source, error: CheckpointError.from(error).toData() };
      }
    },
    { limit: CONCURRENT },
  );
  const candidates: TrackCandidate[] = [];
  for (const one of looked) {
    if ('error' in one) refused.push(one);
    else candidates.push(one);
  }
  return { candidates, refused };
}

async function filesOf(source: string, signal: AbortSignal | undefined): Promise<FolderFiles> {
  const found = await stat(source).catch((error: unknown) => {
    throw fileError(error, source);
  });
  if (!found.isDirectory()) return { files: [source], left: null };
  const all = await checkpointsIn(source, signal);
  if (all.files.length > 0) return all;
  throw new CheckpointError('unsupported-format', `${basename(source)} holds no checkpoint files.`, {
    place: { file: source },
    hint: 'Choose the files themselves, whatever their names are.',
  });
}

interface Places {
  /** Root of the work tree without symbolic links. */
  readonly root: string;
  /** Paths at HEAD by their last component. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Blob ids by path. */
  readonly blobs: ReadonlyMap<string, string>;
}

async function readPlaces({ git, path }: OpenedRepository): Promise<Places> {
  const head = headCommit(await git.head());
  const files = head === null ? [] : (await git.files(head)).filter(({ kind }) => kind === 'blob');
  const byName = new Map<string, string[]>();
  for (const { path: file } of files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return { root: await realpath(path).catch(() => path), byName, blobs: new Map(files.map((file) => [file.path, file.oid])) };
}

interface Context {
  readonly repository: OpenedRepository | null;
  readonly places: Places | null;
  readonly signal: AbortSignal | undefined;
}

async function describeFile(source: string, { repository, places, signal }: Context): Promise<TrackCandidate> {
  const { size } = await stat(source);
  const { format, groups, skipped } = await openCheckpointFile({ kind: 'file', path: source }, source, signal);
  const path = places === null ? basename(source) : await proposePath(source, places);
  const blob = places?.blobs.get(path);
  const storage =
    repository === null || blob === undefined ? null : (await storedAs({ repository: repository.git, storedAs: repository.storedAs }, blob)).storage;
  const damaged = groups.find(({ data, external }) => 'code' in data && external === undefined);
  const problem = damaged !== undefined && 'code' in damaged.data ? damaged.data : null;
  return { source, name: basename(source), bytes: size, format, groups: groups.length, skipped: skipped.length, path, storage, problem };
}

async function proposePath(source: string, { root, byName }: Places): Promise<string> {
  const inside = relative(root, await realpath(source));
  if (inside !== '' && !inside.startsWith('..') && !/^[A-Za-z]:/.test(inside) && !inside.split(sep).includes('.git')) return inside.split(sep).join('/');
  const name = basename(source);
  const [only, ...others] = byName.get(name) ?? [];
  return only !== undefined && others.length === 0 ? only : name;
}
