import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { classNames } from './classNames';
import { ContextMenu, type MenuItem } from './Menu';
import styles from './NavList.module.css';

export interface NavItem {
  readonly id: string;
  /** Full text on hover, where it may be cut off. */
  readonly title?: string;
  readonly current: boolean;
  readonly content: ReactNode;
  /** For the second mouse button, the menu key and Shift+F10. */
  readonly menu: readonly MenuItem[];
  onChoose(): void;
}

interface NavListProps {
  readonly label: string;
  readonly items: readonly NavItem[];
  /** Rows of two lines. */
  readonly tall?: boolean;
}

/** A list of places to go to. One stop for Tab; the arrows, Home and End move inside. */
export function NavList({ label, items, tall = false }: NavListProps) {
  const list = useRef<HTMLUListElement>(null);
  const entry = Math.max(
    0,
    items.findIndex((item) => item.current),
  );
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const buttons: readonly (Element | null)[] = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement);
    // React lets keys of an open menu rise to here, too.
    if (at < 0) return;
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    const button = target === undefined ? undefined : buttons[target];
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    button.focus();
  };
  return (
    <ul ref={list} aria-label={label} className={styles.list} onKeyDown={move}>
      {items.map((item, index) => (
        <li key={item.id}>
          <ContextMenu label={item.id} items={item.menu}>
            <button
              type="button"
              tabIndex={index === entry ? 0 : -1}
              className={classNames(styles.item, tall && styles.tall)}
              aria-current={item.current ? 'true' : undefined}
              title={item.title}
              onClick={() => item.onChoose()}
            >
              {item.content}
            </button>
          </ContextMenu>
        </li>
      ))}
    </ul>
  );
}
