import { Unplug } from 'lucide-react';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ConnectionMark.module.css';

/** In the toolbar: only when something is wrong. A connection that stands is what everybody expects. */
export function ConnectionMark() {
  const { app } = useStores();
  const connection = useStore(app, (state) => state.connection);
  const text = connection === 'open' ? '' : connection === 'lost' ? 'Not connected' : 'Connecting…';
  return (
    <span role="status" className={connection === 'lost' ? styles.lost : styles.mark}>
      {connection === 'lost' ? <Unplug size={14} aria-hidden="true" /> : null}
      {text}
    </span>
  );
}
