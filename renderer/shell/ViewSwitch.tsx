import { Tooltip } from '../components/Tooltip';
import { hasUnsavedEdits } from '../state/graphStore';
import { latest } from '../state/loadable';
import { useStore, useStores } from '../state/storesContext';
import { VIEW_CHOICES } from './shellCommands';
import styles from './ViewSwitch.module.css';

/** Which view of the repository the main area shows. */
export function ViewSwitch() {
  const { commands, workspace, graph } = useStores();
  const shown = useStore(workspace, (state) => state.view);
  const isUnsaved = useStore(graph, (state) => {
    const opened = latest(state.graph);
    return opened !== undefined && hasUnsavedEdits(opened);
  });
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
            {view === 'graph' && isUnsaved ? (
              <>
                <span className={styles.unsaved} aria-hidden="true" />
                <span className="visually-hidden">, with edits that are not saved</span>
              </>
            ) : null}
          </button>
        </Tooltip>
      ))}
    </nav>
  );
}
