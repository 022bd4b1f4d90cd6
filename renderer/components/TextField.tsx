import { type InputHTMLAttributes, type Ref, useId } from 'react';
import { classNames } from './classNames';
import styles from './TextField.module.css';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id'> {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | null;
  /** For paths, names and numbers. */
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, hideLabel = false, value, onChange, hint, error = null, mono = false, className, ...rest }: TextFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        className={classNames(styles.input, mono && styles.mono)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== null}
        {...(note === undefined ? {} : { 'aria-describedby': `${id}-note` })}
      />
      {note === undefined ? null : (
        <p id={`${id}-note`} className={error === null ? styles.hint : styles.error}>
          {note}
        </p>
      )}
    </div>
  );
}
