import { memo } from 'react';
import type { CommitChange } from '../../../shared/model/checkpoint';
import type { CommitInfo, HeadInfo, RefInfo } from '../../../shared/model/commit';
import type { LaneRow } from '../../charts/commitLanes';
import { classNames } from '../../components/classNames';
import { formatMoment } from '../../components/formatMoment';
import { formatAgo } from '../../components/formatTime';
import { GridRow } from '../../components/GridRow';
import { gridCell } from '../../components/gridRoles';
import type { FoundCommit } from '../../state/historySearch';
import { ChangeCell } from './ChangeCell';
import styles from './CommitList.module.css';
import { describeLanes } from './describeLanes';
import { LaneGraphic } from './LaneGraphic';
import { Marked } from './Marked';
import { RefLabels } from './RefLabels';

interface CommitRowProps {
  readonly commit: CommitInfo;
  readonly lanes: LaneRow;
  readonly graphWidth: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly isSelected: boolean;
  readonly refs: readonly RefInfo[];
  readonly head: HeadInfo;
  readonly isHead: boolean;
  readonly showChanges: boolean;
  readonly change: CommitChange | undefined;
  readonly reference: number;
  readonly found: FoundCommit | undefined;
  readonly searched: string;
  /** Seconds since 1970, for dates like `3 days ago`. */
  readonly now: number;
  /** Kept to be compared with another commit. */
  readonly isMarked: boolean;
  readonly onSelect: (commit: CommitInfo) => void;
  /** A click with Ctrl or Cmd. */
  readonly onMark: (commit: CommitInfo) => void;
  readonly onOpen: () => void;
}

export const rowId = (hash: string) => `commit-${hash}`;

/** One commit. Keys are handled by the grid around it, which has the focus. */
export const CommitRow = memo(function CommitRow(props: CommitRowProps) {
  const { commit, lanes, found, searched } = props;
  const mark = (field: FoundCommit['reasons'][number]['field']) => (found?.reasons.some((reason) => reason.field === field) === true ? searched : '');
  const elsewhere = found?.reasons.find((reason) => reason.field === 'parameter' || reason.field === 'update-type' || reason.field === 'message');
  return (
    <GridRow
      id={rowId(commit.hash)}
      aria-rowindex={lanes.row + 2}
      aria-level={1}
      aria-selected={props.isSelected}
      className={classNames(styles.row, props.isSelected && styles.selected, found !== undefined && styles.found)}
      top={props.top}
      isActive={props.isSelected}
      onClick={(event) => (event.ctrlKey || event.metaKey ? props.onMark(commit) : props.onSelect(commit))}
      onDoubleClick={props.onOpen}
    >
      <div {...gridCell} className={styles.graph}>
        <LaneGraphic row={lanes} width={props.graphWidth} isMerge={commit.parents.length > 1} isHead={props.isHead} />
        <span className="visually-hidden">{describeLanes(lanes, commit.parents.length)}</span>
      </div>
      <div {...gridCell} className={styles.title}>
        {props.isMarked ? <span className={styles.marked}>marked</span> : null}
        <RefLabels refs={props.refs} head={props.head} isHead={props.isHead} />
        <span className={styles.message} dir="auto" title={commit.title}>
          {commit.title === '' ? <em className={styles.empty}>No message</em> : <Marked text={commit.title} searched={mark('message')} />}
        </span>
        {elsewhere !== undefined && !includesText(commit.title, searched) ? (
          <span className={styles.reason} title={elsewhere.text}>
            <Marked text={elsewhere.text} searched={searched} />
          </span>
        ) : null}
      </div>
      {props.showChanges ? (
        <div {...gridCell} className={styles.changes}>
          <ChangeCell change={props.change} reference={props.reference} />
        </div>
      ) : null}
      <div {...gridCell} className={styles.author} dir="auto" title={`${commit.author.name} <${commit.author.email}>`}>
        <Marked text={commit.author.name} searched={mark('author')} />
      </div>
      <div {...gridCell} className={styles.date} title={formatMoment(commit.author)}>
        {formatAgo(commit.author.time, props.now)}
      </div>
      <div {...gridCell} className={styles.hash}>
        <Marked text={commit.hash.slice(0, 8)} searched={mark('hash').slice(0, 8)} />
      </div>
    </GridRow>
  );
});

function includesText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.trim().toLowerCase());
}
