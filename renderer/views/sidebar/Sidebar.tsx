import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { CheckpointList } from './CheckpointList';
import { FoldingSection } from './FoldingSection';
import { RefList } from './RefList';
import styles from './Sidebar.module.css';

interface SidebarProps {
  /** What stands before the checkpoints; the shell puts it there, since one view does not import another. */
  readonly top: ReactNode;
}

export function Sidebar({ top }: SidebarProps) {
  const { workspace } = useStores();
  const repository = useStore(workspace, (state) => latest(state.repository));
  if (repository === undefined) return null;
  return (
    <nav className={styles.sidebar} aria-label="Repository" data-region="sidebar">
      {top}
      <FoldingSection id="checkpoints" title="Checkpoints" count={repository.checkpoints.length}>
        <CheckpointList repository={repository} />
      </FoldingSection>
      <RepositoryNotices repository={repository} />
      <RefList repository={repository} kind="branch" title="Branches" />
      <RefList repository={repository} kind="remote-branch" title="Remote branches" />
      <Remotes repository={repository} />
      <RefList repository={repository} kind="tag" title="Tags" />
    </nav>
  );
}

function Remotes({ repository: { remotes } }: { readonly repository: RepositoryDescription }) {
  if (remotes.length === 0) return null;
  return (
    <FoldingSection id="remotes" title="Remotes" count={remotes.length}>
      <ul className={styles.plain}>
        {remotes.map((remote) => (
          <li key={remote.name} className={styles.remote} title={remote.url}>
            <bdi className={styles.name}>{remote.name}</bdi>
            <bdi className={styles.address}>{remote.url}</bdi>
          </li>
        ))}
      </ul>
    </FoldingSection>
  );
}

/** What is limited here, in the host's own sentences. */
function RepositoryNotices({ repository: { notices } }: { readonly repository: RepositoryDescription }) {
  if (notices.length === 0) return null;
  return (
    <FoldingSection id="notices" title="Good to know" count={notices.length}>
      <ul className={styles.plain}>
        {notices.map((notice) => (
          <li key={notice} className={styles.notice}>
            <Info size={14} aria-hidden="true" />
            <span>{notice}</span>
          </li>
        ))}
      </ul>
    </FoldingSection>
  );
}
