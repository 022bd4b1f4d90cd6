import { initRepository } from '../git/native/writer/initRepository';
import type { Services } from '../services/createServices';
import { commitCheckpoints } from '../services/tracker/commitCheckpoints';
import { createBranch } from '../services/tracker/createBranch';
import { discardChanges } from '../services/tracker/discardChanges';
import { previewCheckpoint } from '../services/tracker/previewCheckpoint';
import { recognise } from '../services/tracker/recognise';
import { workTreeChanges } from '../services/tracker/workTreeChanges';
import type { Handlers } from './handlers';

type TrackMethods =
  | 'track/recognise'
  | 'track/preview'
  | 'track/commit'
  | 'worktree/status'
  | 'worktree/discard'
  | 'branch/create'
  | 'branch/switch'
  | 'tag/create'
  | 'repository/init';

/** Everything that changes a repository. */
export function trackHandlers(services: Services): Pick<Handlers, TrackMethods> {
  const writer = (id: string) => services.writer(services.repository(id));
  return {
    'track/recognise': ({ repository, sources }, { signal }) => recognise(repository === null ? null : services.repository(repository), sources, signal),
    'track/preview': async ({ repository, item }, { signal, onProgress }) =>
      previewCheckpoint({
        repository: services.repository(repository),
        pool: services.pool,
        path: item.path,
        file: item.source,
        choice: item.update,
        updateData: item.updateData,
        signal,
        onProgress,
      }),
    'track/commit': async ({ repository, items, message, author, newBranch, convertLfs }, { signal, onProgress }) => {
      const started = performance.now();
      const opened = services.repository(repository);
      const { commit, addedBytes, fullBytes, notes } = await commitCheckpoints({
        repository: opened,
        writer: await services.writer(opened),
        pool: services.pool,
        program: services.program,
        items,
        message,
        author,
        newBranch,
        convertLfs,
        signal,
        onProgress,
      });
      return { commit, addedBytes, fullBytes, seconds: (performance.now() - started) / 1000, notes: [...notes] };
    },
    'worktree/status': ({ repository }, { signal }) => workTreeChanges(services.repository(repository), () => writer(repository), signal),
    'worktree/discard': async ({ repository, paths }, { signal }) => {
      await discardChanges(await writer(repository), paths, signal);
      return null;
    },
    'branch/create': async ({ repository, ...branch }, { signal }) => {
      await createBranch(await writer(repository), branch, signal);
      return null;
    },
    'branch/switch': async ({ repository, name }, { signal }) => {
      await (await writer(repository)).switchBranch(name, signal);
      return null;
    },
    'tag/create': async ({ repository, name, commit, message }) => {
      await (await writer(repository)).createTag(name, commit, message);
      return null;
    },
    'repository/init': async ({ folder }) => {
      await initRepository(folder);
      return { path: folder };
    },
  };
}
