import { formatCount } from '../../../shared/base/formatBytes';
import { fileName, type Refused } from '../../state/trackForm';
import styles from './TrackForm.module.css';

/** More than these are only counted. */
const MOST = 20;

/** Files that are no checkpoints, each with the reason. */
export function RefusedList({ refused }: { readonly refused: readonly Refused[] }) {
  return (
    <div>
      <p className={styles.note}>Not taken:</p>
      <ul className={styles.refused} aria-label="Files that were not taken">
        {refused.slice(0, MOST).map(({ source, error }) => (
          <li key={source} title={source}>
            <bdi>{fileName(source)}</bdi>: {error.message}
            {error.hint === undefined ? '' : ` ${error.hint}`}
          </li>
        ))}
        {refused.length > MOST ? <li>and {formatCount(refused.length - MOST)} more</li> : null}
      </ul>
    </div>
  );
}
