import { type SelectHTMLAttributes, useId } from 'react';
import { classNames } from './classNames';
import styles from './Select.module.css';

interface SelectProps<V extends string> extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'id'> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
  readonly hint?: string;
  /** The label stands before the list, as in a row of controls, not above it. */
  readonly inline?: boolean;
}

/** One of a few choices; the system's own list opens. */
export function Select<V extends string>({ label, value, options, onChange, hint, inline = false, className, ...rest }: SelectProps<V>) {
  const id = useId();
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text);
    if (chosen !== undefined) onChange(chosen.value);
  };
  return (
    <div className={classNames(styles.field, inline && styles.inline, className)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select
        {...rest}
        id={id}
        className={styles.select}
        value={value}
        onChange={(event) => choose(event.target.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <p id={`${id}-note`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
