import styles from './Skeleton.module.css';

interface SkeletonProps {
  /** CSS lengths; the space that the content will take. */
  readonly width?: string;
  readonly height?: string;
}

/** Holds the place of one thing that is loading. */
export function Skeleton({ width = '100%', height = '12px' }: SkeletonProps) {
  return <span className={styles.bone} style={{ width, height }} aria-hidden="true" />;
}

const WIDTHS = ['62%', '48%', '71%', '39%', '55%', '66%', '44%'];

/** Rows of the usual height, for lists. */
export function SkeletonRows({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity that never move
        <div key={row} className={styles.row}>
          <Skeleton width={WIDTHS[row % WIDTHS.length] ?? '50%'} />
        </div>
      ))}
    </div>
  );
}
