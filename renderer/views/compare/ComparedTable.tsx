import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { applyChoices } from '../../charts/collapsedModules';
import { parentRow, visibleRows } from '../../charts/nameTree';
import { classNames } from '../../components/classNames';
import { asksToCopy, copyText } from '../../components/copyText';
import { Grid } from '../../components/Grid';
import { GridHead } from '../../components/GridRow';
import { gridHeader } from '../../components/gridRoles';
import { ROW_HEIGHT, rowsOfPage, showRow } from '../../components/gridRows';
import { moveRow } from '../../components/moveRow';
import { ComparedRow } from './ComparedRow';
import styles from './ComparedTable.module.css';
import type { ComparedColumn } from './comparedColumns';
import { closedModules, type Order, type ShownRow } from './comparedRows';

interface ComparedTableProps {
  readonly rows: readonly ShownRow[];
  readonly columns: readonly ComparedColumn[];
  readonly order: Order;
  /** With a filter everything that fits is open. */
  readonly isFiltered: boolean;
  readonly selected: string | null;
  readonly onOrder: (column: string | null) => void;
  readonly onSelect: (name: string) => void;
  readonly onOpen: () => void;
  /** Places in the comparison of the rows on the screen. */
  readonly onVisible: (indices: readonly number[]) => void;
}

const [NAME_WIDTH, CHANGE_WIDTH, GAP] = [220, 122, 8];

/** The rows as a treegrid that draws only what is in view. Arrow keys move, Enter and Space choose; what is too wide scrolls under the names. */
export function ComparedTable({ rows, columns, order, isFiltered, selected, onOrder, onSelect, onOpen, onVisible }: ComparedTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [activeId, setActiveId] = useState<string | null>(null);
  const closed = useMemo(() => (isFiltered ? new Set<string>() : applyChoices(closedModules(rows), choices)), [rows, isFiltered, choices]);
  const visible = useMemo(() => visibleRows(rows, closed), [rows, closed]);
  const virtual = useVirtualizer({ count: visible.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 10 });
  const rowAt = (place: number) => rows[visible[place] ?? -1];
  const activePlace = useMemo(() => {
    const wanted = (row: ShownRow | undefined) => (activeId === null ? selected !== null && nameOf(row) === selected : row?.id === activeId);
    const place = visible.findIndex((index) => wanted(rows[index]));
    return place >= 0 ? place : visible.length > 0 ? 0 : null;
  }, [rows, visible, activeId, selected]);

  const items = virtual.getVirtualItems();
  const inView = items.flatMap(({ index }) => {
    const row = rowAt(index);
    return row?.kind === 'item' ? [row.item.index] : [];
  });
  const key = inView.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the rows
  useEffect(() => onVisible(inView), [key]);

  // A group that was chosen elsewhere (a link, another view) is brought into view, its modules opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another group is chosen, not when modules are opened or closed by hand
  useEffect(() => {
    const index = selected === null ? -1 : rows.findIndex((row) => nameOf(row) === selected);
    if (index < 0) return;
    const around: string[] = [];
    for (let at = parentRow(rows, index); at !== undefined; at = parentRow(rows, at)) around.push(rows[at]?.id ?? '');
    const shut = around.filter((id) => closed.has(id));
    if (shut.length > 0) setChoices((before) => new Map([...before, ...shut.map((id) => [id, true] as const)]));
    else showRow(scroller.current, visible.indexOf(index));
  }, [selected]);

  const toggle = (row: ShownRow) => {
    setActiveId(row.id);
    if (row.kind === 'module' && !isFiltered) setChoices((before) => new Map(before).set(row.id, closed.has(row.id)));
  };
  const choose = (row: ShownRow) => {
    setActiveId(row.id);
    if (row.kind === 'item') onSelect(row.item.name);
  };
  const goTo = (place: number) => {
    const row = rowAt(place);
    if (row === undefined) return;
    setActiveId(row.id);
    showRow(scroller.current, place);
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    // Buttons in the head have keys of their own.
    if (event.target !== event.currentTarget) return;
    const row = activePlace === null ? undefined : rowAt(activePlace);
    if (row !== undefined && asksToCopy(event)) {
      event.preventDefault();
      void copyText(row.kind === 'item' ? row.item.name : row.label);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = moveRow(event.key, activePlace, { count: visible.length, page: rowsOfPage(scroller.current) });
    if (target !== null) goTo(target);
    else if (row === undefined || activePlace === null) return;
    else if (event.key === 'Enter' || event.key === ' ') {
      if (row.kind === 'module') toggle(row);
      else choose(row);
      // The detail is rendered only after this choice.
      if (row.kind === 'item' && event.key === 'Enter') requestAnimationFrame(onOpen);
    } else if (event.key === 'ArrowRight') {
      if (row.kind === 'module' && closed.has(row.id)) toggle(row);
      else if (row.kind === 'module') goTo(activePlace + 1);
      else scroller.current?.scrollBy({ left: 96 });
    } else if (event.key === 'ArrowLeft') {
      if ((scroller.current?.scrollLeft ?? 0) > 0) scroller.current?.scrollBy({ left: -96 });
      else if (row.kind === 'module' && !closed.has(row.id) && !isFiltered) toggle(row);
      else {
        const parent = parentRow(rows, visible[activePlace] ?? 0);
        if (parent !== undefined) goTo(visible.indexOf(parent));
      }
    } else return;
    event.preventDefault();
  };

  const width = columns.reduce((sum, column) => sum + column.width + GAP, NAME_WIDTH + CHANGE_WIDTH + GAP + 20);
  const isActiveInView = activePlace !== null && items.some((item) => item.index === activePlace);
  return (
    <div className={styles.box} style={{ '--table-width': `${width}px` } as CSSProperties}>
      <Grid
        ref={scroller}
        label="Compared groups"
        rowCount={visible.length}
        activeId={isActiveInView ? `compared-row-${activePlace}` : null}
        className={styles.grid}
        onKeyDown={handleKey}
        head={<Heads columns={columns} order={order} onOrder={onOrder} />}
        bodyHeight={virtual.getTotalSize()}
      >
        {items.map((item) => {
          const row = rowAt(item.index);
          if (row === undefined) return null;
          return (
            <ComparedRow
              key={row.id}
              row={row}
              columns={columns}
              id={`compared-row-${item.index}`}
              rowIndex={item.index + 2}
              top={item.start}
              isOpen={row.kind === 'module' && !closed.has(row.id)}
              isActive={item.index === activePlace}
              isSelected={selected !== null && nameOf(row) === selected}
              onClick={() => (row.kind === 'module' ? toggle(row) : choose(row))}
            />
          );
        })}
      </Grid>
    </div>
  );
}

function nameOf(row: ShownRow | undefined): string | null {
  return row?.kind === 'item' ? row.item.name : null;
}

interface HeadsProps {
  readonly columns: readonly ComparedColumn[];
  readonly order: Order;
  readonly onOrder: (column: string | null) => void;
}

function Heads({ columns, order, onOrder }: HeadsProps) {
  return (
    <GridHead className={styles.head}>
      <div {...gridHeader} className={styles.name} {...(order === null ? { 'aria-sort': 'ascending' as const } : {})}>
        <button type="button" className={styles.sort} title="By module" tabIndex={-1} onClick={() => onOrder(null)}>
          Name
        </button>
      </div>
      <div {...gridHeader} className={styles.change}>
        Change
      </div>
      {columns.map((column) => {
        const isOrder = order?.column === column.id;
        const direction = order?.descending === true ? 'descending' : 'ascending';
        return (
          <div
            key={column.id}
            {...gridHeader}
            className={classNames(styles.cell, column.align === 'end' && styles.end)}
            style={{ width: column.width }}
            {...(isOrder ? { 'aria-sort': direction } : {})}
          >
            <button type="button" className={styles.sort} title={column.hint} tabIndex={-1} onClick={() => onOrder(column.id)}>
              {column.title}
              {isOrder ? <span aria-hidden="true">{direction === 'descending' ? ' ↓' : ' ↑'}</span> : null}
            </button>
          </div>
        );
      })}
    </GridHead>
  );
}
