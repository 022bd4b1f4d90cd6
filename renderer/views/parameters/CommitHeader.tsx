import { Ellipsis } from 'lucide-react';
import type { CommitDetail, CommitHash } from '../../../shared/model/commit';
import { CommitLink } from '../../components/CommitLink';
import { CopyButton } from '../../components/CopyButton';
import { classNames } from '../../components/classNames';
import { formatMoment } from '../../components/formatMoment';
import { IconButton } from '../../components/IconButton';
import { Menu, type MenuItem } from '../../components/Menu';
import styles from './CommitHeader.module.css';

interface CommitHeaderProps {
  readonly commit: CommitDetail;
  /** Another commit is loading. */
  readonly isStale: boolean;
  readonly onGoTo: (commit: CommitHash) => void;
  /** What can be done with the commit. */
  readonly menu: readonly MenuItem[];
}

/** Message, people, parents and hash of a commit. */
export function CommitHeader({ commit, isStale, onGoTo, menu }: CommitHeaderProps) {
  const hasOtherCommitter = commit.committer.name !== commit.author.name || commit.committer.email !== commit.author.email;
  return (
    <header className={classNames(styles.header, isStale && styles.stale)} aria-busy={isStale}>
      <div className={styles.titleLine}>
        <h2 className={styles.title} dir="auto">
          {commit.title === '' ? 'No message' : commit.title}
        </h2>
        <Menu label="Commit" items={menu} align="end">
          <IconButton label="What to do with this commit" icon={<Ellipsis size={16} aria-hidden="true" />} side="left" />
        </Menu>
      </div>
      {commit.body.trim() === '' ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className={styles.body} dir="auto" tabIndex={0}>
          {commit.body.trim()}
        </pre>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>Author</dt>
          <dd>
            <bdi title={commit.author.email}>{commit.author.name}</bdi>, <time dateTime={isoTime(commit.author.time)}>{formatMoment(commit.author)}</time>
          </dd>
        </div>
        {hasOtherCommitter ? (
          <div>
            <dt>Committer</dt>
            <dd>
              <bdi title={commit.committer.email}>{commit.committer.name}</bdi>, {formatMoment(commit.committer)}
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{commit.parents.length > 1 ? 'Parents' : 'Parent'}</dt>
          <dd className={styles.parents}>
            {commit.parents.length === 0
              ? 'None, this is a first commit'
              : commit.parents.map((parent) => <CommitLink key={parent} commit={parent} onGoTo={onGoTo} />)}
          </dd>
        </div>
        <div>
          <dt>Commit</dt>
          <dd className={styles.hash}>
            <code title={commit.hash}>{commit.hash.slice(0, 12)}</code>
            <CopyButton label="Copy commit hash" text={commit.hash} className={styles.copy ?? ''} />
          </dd>
        </div>
      </dl>
    </header>
  );
}

function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
