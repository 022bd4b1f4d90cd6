import { FolderGit2, X } from 'lucide-react';
import { ActionRow, RowMain } from '../../components/ActionRow';
import { Badge } from '../../components/Badge';
import { Button } from '../../components/Button';
import { ErrorNotice } from '../../components/ErrorNotice';
import { formatAgo } from '../../components/formatTime';
import { IconButton } from '../../components/IconButton';
import { SkeletonRows } from '../../components/Skeleton';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './RecentList.module.css';

/** Repositories opened before, newest first. */
export function RecentList() {
  const { recent } = useStores();
  const repositories = useStore(recent, (state) => state.repositories);
  const list = latest(repositories);
  return (
    <section className={styles.section} aria-labelledby="recent-title">
      <h2 id="recent-title" className={styles.heading}>
        Recent
      </h2>
      {repositories.kind === 'failed' ? (
        <ErrorNotice
          title="The recent repositories could not be read"
          error={repositories.error}
          action={<Button onClick={() => void recent.getState().load()}>Try again</Button>}
        />
      ) : null}
      {list === undefined ? (
        repositories.kind === 'failed' ? null : (
          <SkeletonRows count={3} label="Loading the recent repositories" />
        )
      ) : list.length === 0 ? (
        <p className={styles.empty}>Repositories that you open are listed here.</p>
      ) : (
        <ul className={styles.list}>
          {list.map((repository) => (
            <RecentRow key={repository.path} {...repository} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RecentRowProps {
  readonly path: string;
  readonly name: string;
  readonly openedAt: number;
  readonly exists: boolean;
}

function RecentRow({ path, name, openedAt, exists }: RecentRowProps) {
  const { workspace, recent } = useStores();
  return (
    <li>
      <ActionRow
        action={
          <IconButton
            label={`Remove ${name} from the list`}
            side="left"
            icon={<X size={14} aria-hidden="true" />}
            className={styles.remove ?? ''}
            onClick={() => void recent.getState().forget(path)}
          />
        }
      >
        <RowMain className={styles.open} onClick={() => void workspace.getState().openRepository(path)}>
          <FolderGit2 size={16} aria-hidden="true" className={styles.icon} />
          <span className={styles.text}>
            <span className={styles.nameLine}>
              <bdi className={styles.name}>{name}</bdi>
              {exists ? null : <Badge tone="warning">Not found</Badge>}
            </span>
            <bdi className={styles.path} title={path}>
              {path}
            </bdi>
          </span>
          <span className={styles.time}>{formatAgo(openedAt / 1000, Date.now() / 1000)}</span>
        </RowMain>
      </ActionRow>
    </li>
  );
}
