import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import { classNames } from '../../components/classNames';
import type { PreviewSums as Sums } from '../../state/trackForm';
import styles from './PreviewSums.module.css';

/** What this version costs, beside a full copy and Git LFS: numbers first, with bars on one scale. */
export function PreviewSums({ addedBytes, fullBytes, lfsBytes }: Omit<Sums, 'missing'>) {
  const most = Math.max(addedBytes, fullBytes, lfsBytes, 1);
  const rows = [
    { name: 'This version adds', bytes: addedBytes, isOwn: true },
    { name: 'A full copy', bytes: fullBytes, isOwn: false },
    { name: 'Git LFS', bytes: lfsBytes, isOwn: false },
  ];
  return (
    <dl className={styles.sums}>
      {rows.map(({ name, bytes, isOwn }) => (
        <div key={name} className={classNames(styles.sum, isOwn && styles.own)}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.number} title={`${formatCount(bytes)} bytes`}>
            {formatBytes(bytes)}
          </dd>
          <dd className={styles.track} aria-hidden="true">
            <span className={styles.bar} style={{ transform: `scaleX(${bytes / most})` }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
