import { formatCount } from '../../../shared/base/formatBytes';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { SHOWN_CHANGES, type ShownChange } from '../../state/comparedNumbers';
import styles from './ComparedGroups.module.css';
import { CHANGE_WORDS } from './describeRow';

const GLYPHS: Readonly<Record<ShownChange, string>> = {
  modified: 'dense',
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  within: 'unchanged',
  unchanged: 'unchanged',
  unknown: 'other',
};

interface ChangeFilterProps {
  readonly counts: ReadonlyMap<ShownChange, number>;
  readonly hidden: ReadonlySet<ShownChange>;
  readonly onHidden: (hidden: ReadonlySet<ShownChange>) => void;
}

/** How many rows changed in which way; each kind can be left out of the table. */
export function ChangeFilter({ counts, hidden, onHidden }: ChangeFilterProps) {
  const toggle = (change: ShownChange) => {
    const next = new Set(hidden);
    if (!next.delete(change)) next.add(change);
    onHidden(next);
  };
  return SHOWN_CHANGES.filter((change) => (counts.get(change) ?? 0) > 0 || hidden.has(change)).map((change) => (
    <button
      key={change}
      type="button"
      className={styles.kind}
      aria-pressed={!hidden.has(change)}
      title={hidden.has(change) ? 'Show them in the table' : 'Leave them out of the table'}
      onClick={() => toggle(change)}
    >
      <span aria-hidden="true">
        <UpdateGlyph kind={GLYPHS[change]} size={10} />
      </span>
      {CHANGE_WORDS[change]} <span className={styles.count}>{formatCount(counts.get(change) ?? 0)}</span>
    </button>
  ));
}
