import { Tooltip } from '../components/Tooltip';
import { useStore, useStores } from '../state/storesContext';
import { VIEW_CHOICES } from './shellCommands';
import styles from './ViewSwitch.module.css';

/** Which view of the repository the main area shows. */
export function ViewSwitch() {
  const { commands, workspace } = useStores();
  const shown = useStore(workspace, (state) => state.view);
  return (
    <nav className={styles.switch} aria-label="Views">
      {VIEW_CHOICES.map(({ view, label, title, shortcut }) => (
        <Tooltip key={view} content={title} shortcut={shortcut} side="bottom">
          <button
            type="button"
            className={styles.choice}
            {...(view === shown ? { 'aria-current': 'page' as const } : {})}
            onClick={() => commands.getState().run(`view.${view}`)}
          >
            {label}
          </button>
        </Tooltip>
      ))}
    </nav>
  );
}
