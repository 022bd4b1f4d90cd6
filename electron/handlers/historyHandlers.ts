import type { Services } from '../services/createServices';
import { changesOfCommits } from '../services/history/changesOfCommits';
import { searchHistory } from '../services/history/searchHistory';
import type { OpenedRepository } from '../services/repositories/openedRepository';
import type { Handlers } from './handlers';

type HistoryMethods = 'history/page' | 'history/count' | 'history/commit' | 'history/locate' | 'history/search' | 'history/changes';

/** Commits in pages, one commit, a place in the history, search, and what commits changed. */
export function historyHandlers(services: Services): Pick<Handlers, HistoryMethods> {
  const context = ({ git, metadata, storedAs }: OpenedRepository) => ({ repository: git, metadata, storedAs });
  return {
    'history/page': async ({ repository, offset, limit }, { signal }) => {
      const page = await services.repository(repository).history.page(offset, limit, signal);
      return { ...page, commits: page.commits.map((commit) => ({ ...commit, parents: [...commit.parents] })) };
    },
    'history/count': ({ repository }, { signal }) => services.repository(repository).history.count(signal),
    'history/commit': async ({ repository, commit }) => {
      const detail = await services.repository(repository).git.commit(commit);
      return { ...detail, parents: [...detail.parents] };
    },
    'history/locate': ({ repository, commit }, { signal }) => services.repository(repository).history.locate(commit, signal),
    'history/search': ({ repository, text, path, limit }, { signal, onProgress }) => {
      const opened = services.repository(repository);
      const onCount = (done: number, total: number | null) => onProgress({ phase: 'Searching', done, total, unit: 'commits' });
      return searchHistory(context(opened), opened.history, { text, path, limit, signal, onCount });
    },
    'history/changes': async ({ repository, path, commits }, { signal }) => [
      ...(await changesOfCommits(context(services.repository(repository)), path, commits, signal)),
    ],
  };
}
