import { GitCommitHorizontal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { SkeletonRows } from '../../components/Skeleton';
import { compareCommits } from '../../state/compareActions';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { CommitList } from './CommitList';
import { CommitMenu } from './CommitMenu';
import { HistorySearchBar } from './HistorySearchBar';
import styles from './HistoryView.module.css';

interface HistoryViewProps {
  /** Enter on a commit: the focus goes on to the commit. */
  readonly onOpenCommit: () => void;
}

/** The history of the repository, and what each commit did to the chosen checkpoint. */
export function HistoryView({ onOpenCommit }: HistoryViewProps) {
  const { history, workspace, commands } = useStores();
  const repository = useStore(workspace, (state) => latest(state.repository));
  const status = useStore(history, (state) => state.status);
  const loaded = useStore(history, (state) => state.loaded);
  const total = useStore(history, (state) => state.total);
  const list = useStore(history, (state) => state.list);
  const searchField = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const { register } = commands.getState();
    const hasMatches = () => history.getState().search.found.length > 0;
    const registrations = [
      register({ id: 'history.search', title: 'Search history', section: 'History', shortcut: '/', run: () => searchField.current?.focus() }),
      register({
        id: 'history.nextMatch',
        title: 'Go to the next match',
        section: 'History',
        shortcut: 'F3',
        inTextFields: true,
        enabled: hasMatches,
        run: () => history.getState().stepSearch('next'),
      }),
      register({
        id: 'history.previousMatch',
        title: 'Go to the match before',
        section: 'History',
        shortcut: 'Shift+F3',
        inTextFields: true,
        enabled: hasMatches,
        run: () => history.getState().stepSearch('previous'),
      }),
    ];
    return () => {
      for (const registration of registrations) registration.dispose();
    };
  }, [commands, history]);

  if (repository === undefined) return null;
  return (
    <section className={styles.view} aria-label="History" data-region>
      <div className={styles.bar}>
        <HistorySearchBar ref={searchField} onLeave={() => grid.current?.focus()} />
        <span className={styles.count}>{list === null ? '' : countText(total, loaded, status)}</span>
      </div>
      <div className={styles.content}>
        {list !== null && loaded > 0 ? (
          <CommitMenu repository={repository}>
            <CommitList ref={grid} list={list} repository={repository} onOpen={onOpenCommit} />
          </CommitMenu>
        ) : (
          <WithoutCommits repository={repository} />
        )}
      </div>
      <MarkedStrip />
      <Strip />
    </section>
  );
}

function countText(total: number | null, loaded: number, status: string): string {
  if (total !== null) return `${formatCount(total)} ${total === 1 ? 'commit' : 'commits'}`;
  return status === 'failed' ? `${formatCount(loaded)} commits loaded` : `${formatCount(loaded)} commits so far`;
}

/** In the place of the list: still loading, failed, or a repository without commits. */
function WithoutCommits({ repository }: { readonly repository: RepositoryDescription }) {
  const { history } = useStores();
  const status = useStore(history, (state) => state.status);
  const error = useStore(history, (state) => state.error);
  if (status === 'failed' && error !== null) {
    return (
      <div className={styles.notice}>
        <ErrorNotice title="The history could not be read" error={error} action={<Button onClick={() => history.getState().retry()}>Try again</Button>} />
      </div>
    );
  }
  if (status !== 'ready') return <SkeletonRows count={16} label="Reading the history" />;
  const branch = repository.head.kind === 'unborn' ? repository.head.name : null;
  return (
    <EmptyState
      icon={<GitCommitHorizontal size={24} />}
      title="No commits yet"
      text={
        branch === null ? (
          'No branch or tag of this repository leads to a commit.'
        ) : (
          <>
            The branch <bdi>{branch}</bdi> begins with the first commit. Once there is one, it appears here.
          </>
        )
      }
    />
  );
}

/** A commit is marked: what it can be compared with. */
function MarkedStrip() {
  const stores = useStores();
  const { compare, workspace } = stores;
  const marked = useStore(compare, (state) => state.marked);
  const selected = useStore(workspace, (state) => state.commit);
  const hasPath = useStore(workspace, (state) => state.path !== null);
  if (marked === null) return null;
  return (
    <div className={styles.strip} role="status">
      <div className={styles.marking}>
        <span>
          <code>{marked.slice(0, 8)}</code> is marked.
          {selected === marked ? ' Select another commit to compare it with.' : ''}
        </span>
        {selected === null || selected === marked ? null : (
          <Button look="primary" disabled={!hasPath} onClick={() => compareCommits(stores, marked, selected)}>
            Compare these two
          </Button>
        )}
        <Button look="quiet" onClick={() => compare.getState().mark(null)}>
          Unmark
        </Button>
      </div>
    </div>
  );
}

/** What went wrong while the list itself can still be used. */
function Strip() {
  const { history } = useStores();
  const list = useStore(history, (state) => state.list);
  const error = useStore(history, (state) => state.error);
  const changesError = useStore(history, (state) => state.changesError);
  const unlisted = useStore(history, (state) => state.unlisted);
  const retry = <Button onClick={() => history.getState().retry()}>Try again</Button>;
  if (list !== null && list.loaded > 0 && error !== null) {
    return (
      <div className={styles.strip}>
        <ErrorNotice bare title="The rest of the history could not be read" error={error} action={retry} />
      </div>
    );
  }
  if (changesError !== null) {
    return (
      <div className={styles.strip}>
        <ErrorNotice bare title="The changes of some commits could not be read" error={changesError} action={retry} />
      </div>
    );
  }
  if (unlisted !== null) {
    return (
      <p className={styles.strip} role="status">
        No branch or tag leads to the selected commit <code>{unlisted.slice(0, 8)}</code>, so it is not in this list.
      </p>
    );
  }
  return null;
}
