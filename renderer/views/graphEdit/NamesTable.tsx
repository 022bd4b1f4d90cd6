import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { classNames } from '../../components/classNames';
import { asksToCopy, copyText } from '../../components/copyText';
import { Grid } from '../../components/Grid';
import { GridHead } from '../../components/GridRow';
import { gridHeader } from '../../components/gridRoles';
import { ROW_HEIGHT, rowsOfPage, showRow } from '../../components/gridRows';
import { moveRow } from '../../components/moveRow';
import { typedName } from '../../state/graphEditStore';
import { useStores } from '../../state/storesContext';
import { NamesRow } from './NamesRow';
import styles from './NamesTable.module.css';
import type { NameColumn, NameFacts, NameOrder, NameRow } from './nameRows';

interface NamesTableProps {
  readonly view: GraphView;
  readonly rows: readonly NameRow[];
  readonly facts: NameFacts;
  /** What a pattern that is being written would make of names, by key. */
  readonly preview: ReadonlyMap<string, string>;
  readonly order: NameOrder;
  readonly selected: ReadonlySet<string>;
  readonly active: string | null;
  /** Row whose new name is being written. */
  readonly editing: string | null;
  readonly onOrder: (column: NameColumn) => void;
  readonly onSelected: (keys: ReadonlySet<string>) => void;
  readonly onActive: (key: string) => void;
  readonly onEditing: (key: string | null) => void;
  readonly onReader: (row: NameRow) => void;
}

const HEADS: readonly { readonly column: NameColumn | null; readonly title: string; readonly className: string | undefined; readonly hint?: string }[] = [
  { column: 'name', title: 'Name', className: styles.name },
  { column: 'type', title: 'Type and shape', className: styles.type },
  { column: 'bytes', title: 'Bytes', className: styles.bytes },
  { column: 'uses', title: 'Used by', className: styles.uses },
  { column: 'new', title: 'New name', className: styles.newName },
  { column: null, title: 'Proposal', className: styles.proposal },
  { column: null, title: 'Why, or why not', className: styles.why },
];

/** All initializers as a treegrid that draws only what is in view. Arrow keys move, Space selects, F2 or Enter writes a new name, Delete takes it back. */
export function NamesTable(props: NamesTableProps) {
  const { rows, facts, preview, order, selected, active, editing, onOrder, onSelected, onActive, onEditing, onReader, view } = props;
  const { graphEdit } = useStores();
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<number | null>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 8 });
  const items = virtual.getVirtualItems();
  const found = active === null ? -1 : rows.findIndex(({ key }) => key === active);
  const place = found >= 0 ? found : rows.length > 0 ? 0 : null;
  const isActiveInView = place !== null && items.some(({ index }) => index === place);

  // A row that is made active or edited from elsewhere comes into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another row is meant, not when rows are sorted or filtered
  useEffect(() => {
    if (found >= 0) showRow(scroller.current, found);
  }, [active, editing]);

  const goTo = (next: number) => {
    const row = rows[next];
    if (row === undefined) return;
    onActive(row.key);
    showRow(scroller.current, next);
  };
  const toggle = (index: number, withRange: boolean) => {
    const row = rows[index];
    if (row === undefined) return;
    const next = new Set(selected);
    const isOn = !next.has(row.key);
    const from = withRange && anchor.current !== null ? anchor.current : index;
    for (const each of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (isOn || withRange) next.add(each.key);
      else next.delete(each.key);
    }
    anchor.current = index;
    onActive(row.key);
    onSelected(next);
  };
  const finish = (row: NameRow, text: string | null, move: 0 | 1 | -1) => {
    if (text !== null) graphEdit.getState().setNames([typedName(row.address, text)]);
    onEditing(null);
    scroller.current?.focus();
    const index = rows.indexOf(row);
    if (move !== 0 && index >= 0) goTo(Math.max(0, Math.min(rows.length - 1, index + move)));
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    // The field of a new name, and buttons, have keys of their own.
    if (event.target !== event.currentTarget) return;
    const row = place === null ? undefined : rows[place];
    if (row !== undefined && asksToCopy(event)) void copyText(row.address.name);
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') onSelected(new Set(rows.map(({ key }) => key)));
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.shiftKey && place !== null && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      anchor.current ??= place;
      const next = Math.max(0, Math.min(rows.length - 1, place + (event.key === 'ArrowDown' ? 1 : -1)));
      const range = rows.slice(Math.min(anchor.current, next), Math.max(anchor.current, next) + 1);
      onSelected(new Set(range.map(({ key }) => key)));
      goTo(next);
    } else {
      const target = moveRow(event.key, place, { count: rows.length, page: rowsOfPage(scroller.current) });
      if (target !== null) {
        anchor.current = null;
        goTo(target);
      } else if (row === undefined || place === null) return;
      else if (event.key === 'F2' || event.key === 'Enter') {
        onActive(row.key);
        onEditing(row.key);
      } else if (event.key === ' ') toggle(place, event.shiftKey);
      else if (event.key === 'Delete' || event.key === 'Backspace') graphEdit.getState().dropNames(selected.has(row.key) ? selected : [row.key]);
      else if (event.key === 'ArrowRight') scroller.current?.scrollBy({ left: 96 });
      else if (event.key === 'ArrowLeft') scroller.current?.scrollBy({ left: -96 });
      else if (event.key === 'Escape' && selected.size > 0) onSelected(new Set());
      else return;
    }
    event.preventDefault();
  };

  const allSelected = rows.length > 0 && selected.size >= rows.length && rows.every(({ key }) => selected.has(key));
  return (
    <Grid
      ref={scroller}
      label="Initializers"
      aria-multiselectable="true"
      rowCount={rows.length}
      activeId={isActiveInView ? `name-row-${place}` : null}
      className={styles.grid}
      onKeyDown={handleKey}
      bodyHeight={virtual.getTotalSize()}
      head={
        <GridHead className={styles.head}>
          <div {...gridHeader} className={styles.check}>
            <input
              type="checkbox"
              aria-label="Select all shown"
              tabIndex={-1}
              checked={allSelected}
              ref={(box) => {
                if (box !== null) box.indeterminate = !allSelected && selected.size > 0;
              }}
              onChange={() => onSelected(allSelected ? new Set() : new Set(rows.map(({ key }) => key)))}
            />
          </div>
          {HEADS.map(({ column, title, className }) => (
            <div
              key={title}
              {...gridHeader}
              className={classNames(styles.cell, className)}
              {...(column !== null && order?.column === column ? { 'aria-sort': order.isDescending ? ('descending' as const) : ('ascending' as const) } : {})}
            >
              {column === null ? (
                title
              ) : (
                <button type="button" className={styles.sort} tabIndex={-1} onClick={() => onOrder(column)}>
                  {title}
                  {order?.column === column ? <span aria-hidden="true">{order.isDescending ? ' ↓' : ' ↑'}</span> : null}
                </button>
              )}
            </div>
          ))}
        </GridHead>
      }
    >
      {items.map(({ index, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <NamesRow
            // Two initializers of one name are two rows.
            key={row.initializer}
            row={row}
            scopes={view.scopes.length}
            draft={facts.draft.get(row.key) ?? null}
            proposal={facts.proposals.get(row.key) ?? null}
            preview={preview.get(row.key) ?? null}
            problems={facts.check.problems.get(row.key) ?? []}
            id={`name-row-${index}`}
            rowIndex={index + 2}
            top={start}
            isActive={index === place}
            isSelected={selected.has(row.key)}
            isEditing={editing === row.key}
            onToggle={(withRange) => toggle(index, withRange)}
            onActive={() => {
              anchor.current = null;
              onActive(row.key);
            }}
            onEdit={() => {
              onActive(row.key);
              onEditing(row.key);
            }}
            onFinish={(text, move) => finish(row, text, move)}
            onReader={() => onReader(row)}
          />
        );
      })}
    </Grid>
  );
}
