import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useId } from 'react';
import { classNames } from './classNames';
import { Kbd } from './Kbd';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What was found, in words; also read out. */
  readonly status?: string;
  readonly shortcut?: string;
  readonly className?: string;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A filter or search box. Escape empties it, and when it is empty already it is left to whoever is outside. */
export function SearchField({ label, placeholder, value, onChange, status, shortcut, className, onKeyDown, ref }: SearchFieldProps) {
  const id = useId();
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    if (event.key !== 'Escape' || value === '' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onChange('');
  };
  return (
    <div className={classNames(styles.box, className)}>
      <Search size={14} aria-hidden="true" className={styles.icon} />
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <input
        {...(ref === undefined ? {} : { ref })}
        id={id}
        className={styles.input}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={handleKey}
      />
      <span role="status" className={styles.status}>
        {status ?? ''}
      </span>
      {value !== '' ? (
        <button type="button" className={styles.clear} aria-label={`Clear: ${label}`} onClick={() => onChange('')}>
          <X size={14} aria-hidden="true" />
        </button>
      ) : shortcut === undefined ? null : (
        <span aria-hidden="true" className={styles.keys}>
          <Kbd shortcut={shortcut} />
        </span>
      )}
    </div>
  );
}
