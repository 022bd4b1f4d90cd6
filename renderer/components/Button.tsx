import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';
import { classNames } from './classNames';
import { Kbd } from './Kbd';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'large';
  readonly icon?: ReactNode;
  /** Shown in the button; the shortcut itself belongs to a command. */
  readonly shortcut?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'secondary', size = 'normal', icon, shortcut, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={classNames(styles.button, styles[look], size === 'large' && styles.large, className)}>
      {icon === undefined ? null : (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      {children}
      {shortcut === undefined ? null : (
        <span aria-hidden="true">
          <Kbd shortcut={shortcut} />
        </span>
      )}
    </button>
  );
}
