import { type Ref, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from './classNames';
import styles from './TextArea.module.css';

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'id'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** Text of several lines. */
export function TextArea({ label, value, onChange, className, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <textarea {...rest} id={id} className={styles.area} value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
