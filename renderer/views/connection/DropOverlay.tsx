import { FolderInput } from 'lucide-react';
import { useStore, useStores } from '../../state/storesContext';
import styles from './DropOverlay.module.css';

/** Shown while files are dragged over the window. */
export function DropOverlay() {
  const { app } = useStores();
  const dragging = useStore(app, (state) => state.dragging);
  if (!dragging) return null;
  return (
    <div className={styles.overlay} role="status">
      <div className={styles.box}>
        <FolderInput size={24} aria-hidden="true" />
        Drop checkpoints to track them, or a repository to open it
      </div>
    </div>
  );
}
