import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, type RefObject, useState } from 'react';
import { classNames } from './classNames';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Keeps the title for screen readers only. */
  readonly hideTitle?: boolean;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons, the one that goes on last. */
  readonly footer?: ReactNode;
  /** `full`: as much of the window as there is, up to a limit, whatever is in it. */
  readonly size?: 'small' | 'medium' | 'large' | 'full';
  /** Near the top, for the palette. */
  readonly high?: boolean;
  /** Gets the focus on opening; without it the first control does. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** While something runs that must be ended by its own button. */
  readonly keepOpen?: boolean;
}

/**
 * Where the focus was when the last few dialogs were opened, newest first. A dialog that follows another at once finds the focus in what is just
 * closing, or nowhere; it then gives the focus back to where the first one had it from.
 */
const openers: Element[] = [];
const OPENERS_KEPT = 8;

function rememberOpener(): readonly Element[] {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) openers.unshift(activeElement);
  openers.length = Math.min(openers.length, OPENERS_KEPT);
  return [...openers];
}

/**
 * A modal dialog: focus stays inside, Escape and a click outside close it, focus goes back where it was.
 * The scrim is our own: Radix's overlay injects a style element, which the content security policy forbids.
 */
export function Dialog({ open, onClose, ...content }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Content {...content} />
      </Radix.Portal>
    </Radix.Root>
  );
}

/** There only while the dialog is open. */
function Content({ title, hideTitle = false, description, children, footer, size = 'medium', high = false, ...rest }: Omit<DialogProps, 'open' | 'onClose'>) {
  const { initialFocus, keepOpen = false } = rest;
  // Asked before anything inside takes the focus.
  const [before] = useState(rememberOpener);
  const hold = (event: Event) => {
    if (keepOpen) event.preventDefault();
  };
  return (
    <div className={classNames(styles.scrim, high && styles.high)}>
      <Radix.Content
        className={classNames(styles.dialog, styles[size])}
        {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        onEscapeKeyDown={hold}
        onInteractOutside={hold}
        onOpenAutoFocus={(event) => {
          if (initialFocus?.current == null) return;
          event.preventDefault();
          initialFocus.current.focus();
        }}
        onCloseAutoFocus={(event) => {
          const opener = before.find((element) => element.isConnected);
          if (!(opener instanceof HTMLElement)) return;
          event.preventDefault();
          opener.focus();
        }}
      >
        <Radix.Title className={hideTitle ? 'visually-hidden' : styles.title}>{title}</Radix.Title>
        {description === undefined ? null : (
          <Radix.Description asChild>
            <div className={styles.description}>{description}</div>
          </Radix.Description>
        )}
        {children}
        {footer === undefined ? null : <div className={styles.footer}>{footer}</div>}
        {hideTitle || keepOpen ? null : (
          <Radix.Close className={styles.close} aria-label="Close">
            <X size={16} aria-hidden="true" />
          </Radix.Close>
        )}
      </Radix.Content>
    </div>
  );
}
