import { Button } from '../../components/Button';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ShownVersion.module.css';

/** Which version the graph is of; chooses another one in the history. */
export function ShownVersion() {
  const { graph, commands, checkpoint } = useStores();
  // While another version is opened, that of the graph that is still shown.
  const side = useStore(graph, (state) => latest(state.graph)?.side);
  const detail = useStore(checkpoint, (state) => latest(state.commit));
  if (side === undefined) return null;
  const hash = side.kind === 'version' ? side.commit : null;
  const title = hash !== null && detail?.hash === hash ? detail.title : '';
  const words = hash === null ? 'Working tree' : hash.slice(0, 8);
  return (
    <Button
      look="quiet"
      className={styles.version}
      title={hash === null ? 'The file in the working tree. Choose a commit in the history.' : `${hash}\n${title}\nChoose another version in the history.`}
      onClick={() => commands.getState().run('view.history')}
    >
      <span className={styles.name}>{words}</span>
      {title === '' ? null : <bdi className={styles.title}>{title}</bdi>}
    </Button>
  );
}
