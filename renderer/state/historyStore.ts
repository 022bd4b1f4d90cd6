import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CheckpointError } from '../../shared/contract/errors';
import type { RepositoryDescription } from '../../shared/contract/requests';
import type { CommitChange } from '../../shared/model/checkpoint';
import type { CommitHash } from '../../shared/model/commit';
import { ChangeLoader } from './changeLoader';
import type { HistoryList } from './historyList';
import { HistoryPager } from './historyPager';
import { type HistorySearch, NO_SEARCH, SearchRunner, stepMatch } from './historySearch';
import { latest } from './loadable';
import type { StoreContext } from './storeContext';

export interface HistoryState {
  /** `null` before the first page. The list is appended to in place: `loaded` and `total` tell when. */
  readonly list: HistoryList | null;
  readonly loaded: number;
  /** Commits of the whole history; `null` while nobody knows. */
  readonly total: number | null;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly error: CheckpointError | null;
  /** Row to bring into view; `turn` tells one wish from the next. */
  readonly reveal: { readonly row: number; readonly turn: number } | null;
  /** Selected commit that no ref reaches, so that it has no row. */
  readonly unlisted: CommitHash | null;
  /** Grows when changes have come: ask `changeOf` again. */
  readonly changesTurn: number;
  readonly changesError: CheckpointError | null;
  readonly search: HistorySearch;

  /** Rows in view, from `first` up to, not including, `end`: their pages and changes are loaded. */
  setWindow(first: number, end: number): void;
  /** Loads up to a row, for End and long jumps; resolves when it is there. */
  loadRows(end: number): Promise<void>;
  changeOf(commit: string): CommitChange | undefined;
  /** Brings a commit into view, wherever it is. */
  revealCommit(commit: CommitHash): Promise<void>;
  setSearch(text: string): void;
  /** Selects the next or previous commit that was found. */
  stepSearch(direction: 'next' | 'previous'): void;
  retry(): void;
}

export type HistoryStore = StoreApi<HistoryState>;

/** Rows that are loaded beyond the ones in view. */
const AHEAD = 400;

export function createHistoryStore(context: StoreContext): HistoryStore {
  const { client, workspace } = context;
  let pager: HistoryPager | null = null;
  let repository: RepositoryDescription | null = null;
  let revision = 0;
  let window = { first: 0, end: 0 };
  let turn = 0;

  const selectedRow = () => {
    const { commit } = workspace.getState();
    return commit === null ? undefined : store.getState().list?.rowOf(commit);
  };

  const store = createStore<HistoryState>()((set, get) => ({
    list: null,
    loaded: 0,
    total: null,
    status: 'idle',
    error: null,
    reveal: null,
    unlisted: null,
    changesTurn: 0,
    changesError: null,
    search: NO_SEARCH,

    setWindow(first, end) {
      window = { first, end };
      showChanges();
      // A list that failed is loaded further only when the user says so.
      if (get().status !== 'failed') void pager?.load(end + AHEAD);
    },

    async loadRows(end) {
      await pager?.load(end);
    },

    changeOf: (commit) => changes.changeOf(commit),

    async revealCommit(commit) {
      const mine = ++turn;
      let row = get().list?.rowOf(commit);
      try {
        if (row === undefined) {
          await pager?.load(0);
          row = get().list?.rowOf(commit);
        }
        // The order may change between the answer and the rows: then it is asked once more.
        for (let attempt = 0; row === undefined && attempt < 2 && repository !== null; attempt++) {
          const { index } = await client.request('history/locate', { repository: repository.id, commit });
          if (mine !== turn) return;
          if (index === null) {
            set({ unlisted: commit });
            return;
          }
          await pager?.load(index + 1);
          if (mine !== turn) return;
          row = get().list?.rowOf(commit);
        }
      } catch {
        // The commit panel says what is wrong with the commit; the list stays where it is.
        return;
      }
      if (row !== undefined) set({ reveal: { row, turn: mine }, unlisted: null });
    },

    setSearch(text) {
      void find(text, { jump: true });
    },

    stepSearch(direction) {
      const match = stepMatch(get().search.found, selectedRow() ?? (direction === 'next' ? -1 : Number.MAX_SAFE_INTEGER), direction);
      if (match !== undefined) go(match.commit);
    },

    retry() {
      void pager?.load(window.end + AHEAD);
      changes.forgetFailures();
    },
  }));

  const changes = new ChangeLoader(client, (changesError) => store.setState({ changesTurn: store.getState().changesTurn + 1, changesError }));
  const searcher = new SearchRunner(client, (search) => store.setState({ search }));

  async function find(text: string, { jump }: { jump: boolean }): Promise<void> {
    if (repository === null) return;
    const { path } = workspace.getState();
    if (!(await searcher.search({ repository: repository.id, path, text })) || !jump) return;
    const match = stepMatch(store.getState().search.found, selectedRow() ?? 0, 'here');
    if (match !== undefined) go(match.commit);
  }

  function go(commit: CommitHash): void {
    if (workspace.getState().commit === commit) void store.getState().revealCommit(commit);
    else workspace.getState().selectCommit(commit);
  }

  function showChanges(): void {
    const { list } = store.getState();
    if (list === null) return;
    const commits: CommitHash[] = [];
    for (let row = window.first; row < window.end; row++) {
      const commit = list.commitAt(row);
      if (commit !== undefined) commits.push(commit.hash);
    }
    changes.setInView(commits);
  }

  /** Says whether it is another folder than before. */
  function openHistory(description: RepositoryDescription): boolean {
    const isSame = repository?.path === description.path;
    pager?.dispose();
    repository = description;
    if (!isSame) {
      window = { first: 0, end: 0 };
      store.setState({ list: null, loaded: 0, total: null, error: null, reveal: null, unlisted: null });
      void searcher.search({ repository: description.id, path: null, text: '' });
    }
    pager = new HistoryPager({
      client,
      repository: description.id,
      refs: () => repository ?? description,
      previous: isSame ? store.getState().list : null,
      onChange: ({ list, status, error }) => {
        const before = store.getState().list;
        store.setState({ list, loaded: list?.loaded ?? 0, total: list?.total ?? null, status, error });
        showChanges();
        const { text } = store.getState().search;
        // Rows of matches belong to the order that they were found in.
        if (before !== null && before !== list && text !== '') void find(text, { jump: false });
      },
    });
    const keep = Math.max(window.end, (selectedRow() ?? -1) + 1);
    void pager.load(keep);
    return !isSame;
  }

  function reloadHistory(description: RepositoryDescription): void {
    const renamed = JSON.stringify([repository?.refs, repository?.head]) !== JSON.stringify([description.refs, description.head]);
    repository = description;
    if (renamed) pager?.renameLines();
    changes.forgetFailures();
    void pager?.check(Math.max(window.end, (selectedRow() ?? -1) + 1));
  }

  /** Says whether another folder was opened. */
  function follow(): boolean {
    const state = workspace.getState();
    let isOther = false;
    const description = latest(state.repository) ?? null;
    if (description === null) {
      pager?.dispose();
      pager = null;
      repository = null;
      store.setState({ list: null, loaded: 0, total: null, status: 'idle', error: null, reveal: null, unlisted: null, search: NO_SEARCH });
    } else if (description.id !== repository?.id) isOther = openHistory(description);
    else if (state.revision !== revision) reloadHistory(description);
    revision = state.revision;
    changes.setTarget(description === null || state.path === null ? null : { repository: description.id, path: state.path });
    return isOther;
  }

  workspace.subscribe((state, before) => {
    const moved = state.repository !== before.repository || state.revision !== before.revision || state.path !== before.path;
    const isOther = moved && follow();
    if (state.commit !== before.commit || isOther) {
      store.setState({ unlisted: null });
      if (state.commit !== null && repository !== null) void store.getState().revealCommit(state.commit);
    }
    // Names of parameters are looked for in the chosen checkpoint.
    if (state.path !== before.path && store.getState().search.text !== '') void find(store.getState().search.text, { jump: false });
  });
  follow();
  return store;
}
