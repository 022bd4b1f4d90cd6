import { formatCount } from '../../../shared/base/formatBytes';
import type { CommitChange } from '../../../shared/model/checkpoint';
import { describeChange, layoutChangeBar } from '../../charts/changeBar';
import { classNames } from '../../components/classNames';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { updateLook } from '../../components/updateLook';
import styles from './ChangeCell.module.css';

export const BAR_WIDTH = 64;

interface ChangeCellProps {
  /** `undefined` while it is loading. */
  readonly change: CommitChange | undefined;
  /** Bytes of the whole checkpoint, for the scale of the bar. */
  readonly reference: number;
}

/** What a commit did to the checkpoint: a bar by kind and bytes, glyphs with the number of groups, and the whole in words. */
export function ChangeCell({ change, reference }: ChangeCellProps) {
  if (change === undefined) return <span className={styles.waiting} aria-hidden="true" />;
  const text = describeChange(change);
  if (change.error !== null) {
    return (
      <span className={styles.cell} title={text}>
        <UpdateGlyph kind="conflict" />
        <span className={classNames(styles.word, styles.failed)}>{text}</span>
      </span>
    );
  }
  const segments = layoutChangeBar(change, { width: BAR_WIDTH, reference });
  if (segments.length === 0) {
    return (
      <span className={styles.cell} title={text}>
        <span className={styles.word}>{change.present ? (change.unchanged > 0 ? 'unchanged' : '·') : '–'}</span>
        {change.present && change.unchanged > 0 ? null : <span className="visually-hidden">{text}</span>}
      </span>
    );
  }
  return (
    <span className={styles.cell} title={text}>
      <svg className={styles.bar} width={BAR_WIDTH} height={10} aria-hidden="true">
        {segments.map((segment) => (
          <rect key={segment.kind} x={segment.start} y={0} width={segment.width} height={10} rx={1} style={{ fill: updateLook(segment.kind).fill }} />
        ))}
      </svg>
      <span className={styles.counts} aria-hidden="true">
        {segments.map((segment) => (
          <span key={segment.kind} className={styles.count}>
            <UpdateGlyph kind={segment.kind} size={10} />
            {segment.groups === 0 ? null : formatCount(segment.groups)}
          </span>
        ))}
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
