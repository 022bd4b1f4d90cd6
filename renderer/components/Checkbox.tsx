import styles from './Checkbox.module.css';
import { classNames } from './classNames';

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly className?: string;
}

export function Checkbox({ label, checked, onChange, disabled = false, className }: CheckboxProps) {
  return (
    <label className={classNames(styles.label, className)}>
      <input type="checkbox" className={styles.box} checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
