import { Check } from 'lucide-react';
import { DropdownMenu as Radix, ContextMenu as RadixContext } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './classNames';
import { Kbd } from './Kbd';
import styles from './Menu.module.css';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  /** Present: the item is one of several choices, and this is (not) the one. */
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** A line above. */
  readonly startsGroup?: boolean;
  onSelect(): void;
}

interface MenuProps {
  /** Name of the menu. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The button that opens it. */
  readonly children: ReactElement;
  readonly align?: 'start' | 'end';
}

/** A menu under a button. Not modal, so that no style element has to be injected (see Dialog). */
export function Menu({ label, items, children, align = 'start' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.menu} aria-label={label} align={align} sideOffset={4} collisionPadding={8} loop>
          <Items items={items} parts={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The same menu for the second mouse button, the menu key and Shift+F10. */
export function ContextMenu({ label, items, children }: Omit<MenuProps, 'align'>) {
  return (
    <RadixContext.Root modal={false}>
      <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content className={styles.menu} aria-label={label} collisionPadding={8} loop>
          <Items items={items} parts={RadixContext} />
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  );
}

function Items({ items, parts }: { readonly items: readonly MenuItem[]; readonly parts: typeof Radix | typeof RadixContext }) {
  return items.map((item) => {
    const props = { className: classNames(styles.item, item.danger && styles.danger), disabled: item.disabled ?? false, onSelect: () => item.onSelect() };
    const inside = (
      <>
        <span className={styles.icon} aria-hidden="true">
          {item.checked === undefined ? item.icon : item.checked ? <Check size={14} /> : null}
        </span>
        <span className={styles.label}>{item.label}</span>
        {item.shortcut === undefined ? null : <Kbd shortcut={item.shortcut} />}
      </>
    );
    return (
      <div key={item.id} role="presentation">
        {item.startsGroup === true ? <parts.Separator className={styles.line} /> : null}
        {item.checked === undefined ? (
          <parts.Item {...props}>{inside}</parts.Item>
        ) : (
          <parts.CheckboxItem {...props} checked={item.checked}>
            {inside}
          </parts.CheckboxItem>
        )}
      </div>
    );
  });
}
