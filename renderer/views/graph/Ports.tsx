import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import styles from './GraphPanel.module.css';
import { PanelSection } from './PanelParts';

interface PortsProps {
  readonly title: string;
  readonly view: GraphView;
  readonly values: readonly number[];
  /** What the operator calls them, in order. */
  readonly names: readonly string[];
  /** What a press does: `Go to what makes it`. */
  readonly hint: string;
  readonly onPress: (value: number) => void;
}

/** Inputs or outputs with type and shape; a press goes to their other end. */
export function Ports({ title, view, values, names, hint, onPress }: PortsProps) {
  if (values.length === 0) return null;
  return (
    <PanelSection title={title} count={String(values.length)}>
      {values.map((value, at) => {
        const formal = names[Math.min(at, names.length - 1)] ?? '';
        const key = `${at}:${value}`;
        if (value === NO_VALUE) {
          return (
            <span key={key} className={styles.port}>
              <span className={styles.quiet}>{formal === '' ? 'left out' : `${formal}: left out`}</span>
            </span>
          );
        }
        return (
          <button key={key} type="button" className={styles.port} title={hint} onClick={() => onPress(value)}>
            <bdi>{view.values.names[value] || '(no name)'}</bdi>
            <span className={styles.quiet}>{[formal, view.values.types[value] || 'type not known'].filter((word) => word !== '').join(' · ')}</span>
          </button>
        );
      })}
    </PanelSection>
  );
}
