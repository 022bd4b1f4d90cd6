import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { TreeRow } from '../../charts/treeRows';
import { classNames } from '../../components/classNames';
import { GridRow } from '../../components/GridRow';
import { gridCell } from '../../components/gridRoles';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { NameCell, SizeCell, TensorCells } from '../../components/ParameterCells';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { updateLook } from '../../components/updateLook';
import { CHANGE_WORDS, changeGlyph, changeSentence, describeChanges, describeGroup, errorWord } from './describeGroup';
import styles from './GroupTree.module.css';

interface GroupRowProps {
  readonly row: TreeRow;
  readonly id: string;
  /** Row of the grid, from 1, the head included. */
  readonly rowIndex: number;
  readonly top: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onChoose: (row: TreeRow) => void;
  readonly onToggle: (row: TreeRow) => void;
}

export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { row } = props;
  const shared = {
    id: props.id,
    'aria-rowindex': props.rowIndex,
    'aria-level': row.depth + 1,
    top: props.top,
    isActive: props.isActive,
  };
  const indent = { paddingLeft: 4 + Math.min(row.depth, 12) * 14 };
  if (row.kind === 'module') {
    const changes = describeChanges(row.totals);
    const label = `${row.label}, ${formatCount(row.totals.groups)} groups${changes === '' ? '' : `, ${changes}`}`;
    return (
      <GridRow
        {...shared}
        aria-label={label}
        aria-expanded={props.isOpen}
        aria-selected={false}
        className={classNames(styles.row, styles.module)}
        onClick={() => props.onToggle(row)}
      >
        <NameCell className={styles.name} style={indent}>
          <ChevronRight size={14} aria-hidden="true" className={classNames(styles.chevron, props.isOpen && styles.open)} />
          <MiddleEllipsis text={row.label} className={styles.label ?? ''} />
          <span className={styles.number}>{formatCount(row.totals.groups)}</span>
        </NameCell>
        <div {...gridCell} className={styles.moduleChange}>
          {changes}
        </div>
        <SizeCell className={styles.size}>{formatBytes(row.totals.bytes)}</SizeCell>
        <SizeCell className={styles.stored}>{formatBytes(row.totals.storedBytes)}</SizeCell>
      </GridRow>
    );
  }
  const { group, change, from } = row.entry;
  return (
    <GridRow
      {...shared}
      aria-label={describeGroup(row.entry)}
      aria-selected={props.isSelected}
      className={classNames(styles.row, styles[change], props.isSelected && styles.selected)}
      onClick={() => props.onChoose(row)}
    >
      <NameCell className={styles.name} style={indent}>
        <span className={styles.chevron} />
        <MiddleEllipsis text={row.label === '' ? '(no name)' : row.label} title={group.name} className={styles.label ?? ''} />
        {from === undefined ? null : (
          <span className={styles.tied} title={changeSentence(row.entry)}>
            renamed from <bdi>{from === '' ? '(no name)' : from}</bdi>
          </span>
        )}
        {group.tiedTo === null ? null : (
          <span className={styles.tied} title={`Same storage as ${group.tiedTo}`}>
            tied to <bdi>{group.tiedTo}</bdi>
          </span>
        )}
      </NameCell>
      <div {...gridCell} className={styles.change} title={group.error?.message ?? changeSentence(row.entry)}>
        {group.error === null ? (
          <>
            <UpdateGlyph kind={changeGlyph(row.entry)} size={11} />
            <span aria-hidden="true" className={classNames(change === 'modified' && group.updateType !== null && styles.whenWide)}>
              {CHANGE_WORDS[change]}
            </span>
            {change === 'modified' && group.updateType !== null ? (
              <span aria-hidden="true" className={styles.whenNarrow}>
                {updateLook(group.updateType).label}
              </span>
            ) : null}
          </>
        ) : (
          <>
            <UpdateGlyph kind="conflict" size={11} />
            <span className={styles.error}>{errorWord(group.error.code)}</span>
          </>
        )}
      </div>
      <div {...gridCell} className={styles.update}>
        {group.updateType === null ? '–' : <UpdateGlyph kind={group.updateType} showLabel size={11} />}
      </div>
      <TensorCells columns={styles} group={group} />
      <SizeCell className={styles.stored} title={`${formatCount(group.storedBytes)} bytes stored`}>
        {formatBytes(group.storedBytes)}
      </SizeCell>
    </GridRow>
  );
});
