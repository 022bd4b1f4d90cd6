import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './classNames';
import styles from './IconButton.module.css';
import { isMac } from './platform';
import { shortcutKeys } from './shortcut';
import { Tooltip } from './Tooltip';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'title'> {
  /** Name of the button and text of its tooltip. */
  readonly label: string;
  readonly shortcut?: string;
  readonly icon: ReactNode;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, shortcut, icon, side = 'bottom', className, ...rest }: IconButtonProps) {
  const keys = shortcut === undefined ? {} : { 'aria-keyshortcuts': ariaKeys(shortcut) };
  return (
    <Tooltip content={label} shortcut={shortcut} side={side}>
      <button type="button" aria-label={label} {...keys} {...rest} className={classNames(styles.button, className)}>
        {icon}
      </button>
    </Tooltip>
  );
}

/** The shortcut as ARIA writes it: `Control+K`, `Meta+K`. */
function ariaKeys(shortcut: string): string {
  return shortcut.replace('Mod', isMac ? 'Meta' : 'Control').replace(/\+(\w)$/, (_, key: string) => `+${shortcutKeys(key, isMac)[0] ?? key}`);
}
