import { ChevronRight } from 'lucide-react';
import { formatCount } from '../../../shared/base/formatBytes';
import { classNames } from '../../components/classNames';
import { GridRow } from '../../components/GridRow';
import { gridCell } from '../../components/gridRoles';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import styles from './ComparedTable.module.css';
import { type ComparedColumn, exactText } from './comparedColumns';
import type { JudgedRow, RollUp, ShownRow } from './comparedRows';
import { CHANGE_WORDS, describeRow, differenceWords, glyphOf } from './describeRow';

interface ComparedRowProps {
  readonly row: ShownRow;
  readonly columns: readonly ComparedColumn[];
  readonly id: string;
  /** Row of the grid, from 1, the head included. */
  readonly rowIndex: number;
  readonly top: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onClick: () => void;
}

export function ComparedRow({ row, columns, id, rowIndex, top, isOpen, isActive, isSelected, onClick }: ComparedRowProps) {
  const shared = { id, 'aria-rowindex': rowIndex, 'aria-level': row.depth + 1, top, isActive, onClick };
  const indent = { paddingLeft: 4 + Math.min(row.depth, 12) * 14 };
  if (row.kind === 'module') {
    const changes = moduleText(row.sums);
    return (
      <GridRow
        {...shared}
        aria-label={`${row.label}, ${formatCount(row.sums.groups)} groups, ${changes}`}
        aria-expanded={isOpen}
        aria-selected={false}
        className={classNames(styles.row, styles.module)}
      >
        <div {...gridCell} className={styles.name} style={indent}>
          <ChevronRight size={14} aria-hidden="true" className={classNames(styles.chevron, isOpen && styles.open)} />
          <MiddleEllipsis text={row.label} className={styles.label ?? ''} />
        </div>
        <div {...gridCell} className={styles.change}>
          {changes}
        </div>
        {columns.map((column) => (
          <div key={column.id} {...gridCell} className={classNames(styles.cell, column.align === 'end' && styles.end)} style={{ width: column.width }}>
            {column.sum === undefined || row.sums.changedGroups === 0 ? '' : `${column.sum(row.sums)}${row.sums.missing > 0 ? ' …' : ''}`}
          </div>
        ))}
      </GridRow>
    );
  }
  const { item } = row;
  return (
    <GridRow
      {...shared}
      aria-label={describeRow(item)}
      aria-selected={isSelected}
      className={classNames(styles.row, styles[item.change], isSelected && styles.selected)}
    >
      <div {...gridCell} className={styles.name} style={indent}>
        <span className={styles.chevron} />
        <MiddleEllipsis text={row.label === '' ? '(no name)' : row.label} title={item.name} className={styles.label ?? ''} />
        <Differences item={item} />
      </div>
      <ChangeCell item={item} />
      {columns.map((column) => (
        <div
          key={column.id}
          {...gridCell}
          className={classNames(styles.cell, styles.value, column.align === 'end' && styles.end)}
          style={{ width: column.width }}
          title={exactText(column, item)}
        >
          {column.text(item)}
        </div>
      ))}
    </GridRow>
  );
}

function moduleText({ changedGroups, groups, missing }: RollUp): string {
  if (changedGroups === 0) return missing > 0 ? 'not compared yet' : 'unchanged';
  return `${formatCount(changedGroups)} of ${formatCount(groups)}`;
}

function Differences({ item }: { readonly item: JudgedRow }) {
  const words = differenceWords(item.group);
  if (words.length === 0) return null;
  const text = words.join(', ');
  return (
    <span className={styles.differences} title={text}>
      <bdi>{text}</bdi>
    </span>
  );
}

function ChangeCell({ item }: { readonly item: JudgedRow }) {
  const error = item.group.b?.error ?? item.group.a?.error ?? item.numbers?.error ?? null;
  return (
    <div {...gridCell} className={styles.change} title={error?.message ?? CHANGE_WORDS[item.change]}>
      <UpdateGlyph kind={error === null ? glyphOf(item) : 'conflict'} size={11} />
      <span aria-hidden="true" className={error === null ? undefined : styles.error}>
        {error === null ? CHANGE_WORDS[item.change] : 'Failed'}
      </span>
    </div>
  );
}
