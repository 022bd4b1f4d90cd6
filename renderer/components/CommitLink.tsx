import type { CommitHash } from '../../shared/model/commit';
import styles from './CommitLink.module.css';

interface CommitLinkProps {
  readonly commit: CommitHash;
  readonly onGoTo: (commit: CommitHash) => void;
}

/** The short hash of a commit as a way to it. */
export function CommitLink({ commit, onGoTo }: CommitLinkProps) {
  return (
    <button type="button" className={styles.link} title={`Go to commit ${commit}`} onClick={() => onGoTo(commit)}>
      {commit.slice(0, 8)}
    </button>
  );
}
