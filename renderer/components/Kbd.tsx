import styles from './Kbd.module.css';
import { isMac } from './platform';
import { shortcutKeys } from './shortcut';

/** The keys of a shortcut (`Mod+K`) as they are written on the viewer's keyboard. */
export function Kbd({ shortcut }: { readonly shortcut: string }) {
  return (
    <span className={styles.keys}>
      {shortcutKeys(shortcut, isMac).map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
