import { Dialog } from '../components/Dialog';
import { Kbd } from '../components/Kbd';
import { UpdateLegend } from '../components/UpdateGlyph';
import { UPDATE_LOOK_KINDS } from '../components/updateLook';
import type { Command } from '../state/commandStore';
import { useStore, useStores } from '../state/storesContext';
import styles from './HelpDialog.module.css';

/** The keys that work now, and what the signs of the update types mean. */
export function HelpDialog() {
  const { app, commands } = useStores();
  const open = useStore(app, (state) => state.helpOpen);
  const list = useStore(commands, (state) => state.commands);
  return (
    <Dialog open={open} onClose={() => app.getState().openHelp(false)} title="Keys and signs">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.body} aria-label="Keys and signs" tabIndex={0}>
        <h3 className={styles.heading}>Signs of what a commit did to a parameter group</h3>
        <UpdateLegend kinds={UPDATE_LOOK_KINDS} />
        <h3 className={styles.heading}>Keys</h3>
        <dl className={styles.keys}>
          {withKeys(list).map(({ id, title, shortcut }) => (
            <div key={id} className={styles.row}>
              <dt>{title}</dt>
              <dd>
                <Kbd shortcut={shortcut} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Dialog>
  );
}

/** Commands that have keys; of those with the same id the one in force. */
function withKeys(commands: readonly Command[]): (Command & { readonly shortcut: string })[] {
  const inForce = new Map(commands.map((command) => [command.id, command]));
  return [...inForce.values()].filter((command): command is Command & { readonly shortcut: string } => command.shortcut !== undefined);
}
