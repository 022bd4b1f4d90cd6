import { FlaskConical, FolderOpen } from 'lucide-react';
import { AppMark } from '../../components/AppMark';
import { Button } from '../../components/Button';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { OpeningFailure } from './OpeningFailure';
import { RecentList } from './RecentList';
import styles from './Welcome.module.css';

export function Welcome() {
  const { app, commands } = useStores();
  const host = useStore(app, (state) => latest(state.host));
  const preparing = useStore(app, (state) => state.preparingSample);
  return (
    <main className={styles.page} data-region="main">
      <div className={styles.column}>
        <div className={styles.head}>
          <AppMark size={48} />
          <div>
            <h1 className={styles.title}>Theta Desktop</h1>
            <p className={styles.subtitle}>The history of your models, parameter group by parameter group</p>
          </div>
        </div>
        <OpeningFailure />
        <div className={styles.actions}>
          <Button
            look="primary"
            size="large"
            data-region-start
            icon={<FolderOpen size={16} />}
            shortcut="Mod+O"
            onClick={() => commands.getState().run('repository.open')}
          >
            Open a folder
          </Button>
          <Button size="large" disabled={preparing} icon={<FlaskConical size={16} />} onClick={() => commands.getState().run('sample.open')}>
            {preparing ? 'Unpacking the sample…' : 'Try the sample'}
          </Button>
        </div>
        <p className={styles.hint}>{host?.host === 'desktop' ? DESKTOP_HINT : SERVED_HINT}</p>
        <RecentList />
        {host === undefined ? null : <p className={styles.version}>Version {host.version}</p>}
      </div>
    </main>
  );
}

const DESKTOP_HINT = 'A git repository with checkpoints in it. You can also drop a repository or a checkpoint anywhere on this window.';
const SERVED_HINT =
  'A git repository with checkpoints in it, on the machine that serves this page. You can also drop a checkpoint anywhere on this window: it is sent there, and a repository is made for it.';
