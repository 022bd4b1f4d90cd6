import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import type { ExportRequest } from '../../state/workspaceStore';
import styles from './ExportDialog.module.css';

/** Which version it is about: path, commit, and the commit's title where that is at hand. */
export function VersionLine({ commit, path }: ExportRequest) {
  const { checkpoint } = useStores();
  const detail = useStore(checkpoint, (state) => latest(state.commit));
  return (
    <span className={styles.version}>
      <bdi className={styles.path}>{path}</bdi> at <code title={commit}>{commit.slice(0, 8)}</code>
      {detail?.hash === commit && detail.title !== '' ? (
        <>
          , <bdi>{detail.title}</bdi>
        </>
      ) : null}
    </span>
  );
}
