import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { shortCount } from '../../../shared/model/graphBoxes';
import { buildOutline, filterOutline, fitsPattern, type OutlineRow } from '../../charts/graphOutline';
import { groupsAround } from '../../charts/graphScene';
import { parseNamePattern } from '../../charts/namePattern';
import { parentRow, visibleRows } from '../../charts/nameTree';
import { classNames } from '../../components/classNames';
import { asksToCopy, copyText } from '../../components/copyText';
import { EmptyState } from '../../components/EmptyState';
import { Grid } from '../../components/Grid';
import { GridHead, GridRow } from '../../components/GridRow';
import { gridCell, gridHeader } from '../../components/gridRoles';
import { ROW_HEIGHT, rowsOfPage, showRow } from '../../components/gridRows';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { moveRow } from '../../components/moveRow';
import { SearchField } from '../../components/SearchField';
import { useStore, useStores } from '../../state/storesContext';
import styles from './GraphOutline.module.css';

interface GraphOutlineProps {
  readonly view: GraphView;
  /** Enter, after the choice: on to the drawing. */
  readonly onLeave: () => void;
}

/** Rows that are open at first, at most. */
const FIRST_ROWS = 200;

/** Groups and operators as a tree: what the drawing shows, for whoever rather reads a list. Choosing a row goes there. */
export function GraphOutline({ view, onLeave }: GraphOutlineProps) {
  const { graph } = useStores();
  const selection = useStore(graph, (state) => state.selection);
  const [pattern, setPattern] = useState('');
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const scroller = useRef<HTMLDivElement>(null);
  const all = useMemo(() => buildOutline(view), [view]);
  const parsed = useMemo(() => parseNamePattern(pattern), [pattern]);
  const isFiltered = pattern.trim() !== '' && parsed.problem === null;
  const rows = useMemo(() => (isFiltered ? filterOutline(all, fitsPattern(parsed)) : all), [all, parsed, isFiltered]);
  const closed = useMemo(() => closedRows(all, { isFiltered, choices }), [all, isFiltered, choices]);
  const visible = useMemo(() => visibleRows(rows, closed), [rows, closed]);
  const selectedId = selection === null ? null : `${selection.kind === 'group' ? 'g' : 'n'}:${selection.ref}`;
  const [activeId, setActiveId] = useState<string | null>(null);
  const activePlace = useMemo(() => {
    const place = visible.findIndex((row) => rows[row]?.id === (activeId ?? selectedId));
    return place >= 0 ? place : visible.length > 0 ? 0 : null;
  }, [visible, rows, activeId, selectedId]);
  const virtual = useVirtualizer({ count: visible.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 10 });

  // What is chosen in the drawing is brought into view here, its groups opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something else is chosen, not when the tree is folded by hand
  useEffect(() => {
    if (selection === null || selection.kind === 'value') return;
    setActiveId(null);
    const around = groupsAround(view, selection).map((group) => `g:${group}`);
    const hiding = around.filter((id) => closed.has(id));
    if (hiding.length > 0) setChoices((before) => new Map([...before, ...hiding.map((id) => [id, true] as const)]));
    else
      showRow(
        scroller.current,
        visible.findIndex((row) => rows[row]?.id === selectedId),
      );
  }, [selection, view, closed]);

  const rowAt = (place: number) => rows[visible[place] ?? -1];
  const goTo = (place: number) => {
    setActiveId(rowAt(place)?.id ?? null);
    showRow(scroller.current, place);
  };
  const toggle = (row: OutlineRow) => {
    setActiveId(row.id);
    if (!isFiltered) setChoices((before) => new Map(before).set(row.id, closed.has(row.id)));
  };
  const choose = (row: OutlineRow) => {
    setActiveId(row.id);
    graph.getState().goTo(row.item);
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const row = activePlace === null ? undefined : rowAt(activePlace);
    if (row !== undefined && asksToCopy(event)) void copyText(row.name);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else {
      const target = moveRow(event.key, activePlace, { count: visible.length, page: rowsOfPage(scroller.current) });
      if (target !== null) goTo(target);
      else if (row === undefined || activePlace === null) return;
      else if (event.key === 'Enter' || event.key === ' ') {
        choose(row);
        if (event.key === 'Enter') onLeave();
      } else if (event.key === 'ArrowRight') {
        if (row.kind === 'module' && closed.has(row.id)) toggle(row);
        else if (row.kind === 'module') goTo(Math.min(visible.length - 1, activePlace + 1));
      } else if (event.key === 'ArrowLeft') {
        if (row.kind === 'module' && !closed.has(row.id) && !isFiltered) toggle(row);
        else {
          const parent = parentRow(rows, visible[activePlace] ?? 0);
          if (parent !== undefined) goTo(visible.indexOf(parent));
        }
      } else return;
    }
    event.preventDefault();
  };

  const items = virtual.getVirtualItems();
  const isActiveInView = activePlace !== null && items.some((item) => item.index === activePlace);
  return (
    <section className={styles.outline} aria-label="Outline" data-region>
      <div className={styles.top}>
        <SearchField
          label="Filter the outline"
          value={pattern}
          status={parsed.problem !== null ? 'not valid' : ''}
          onChange={setPattern}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            event.preventDefault();
            scroller.current?.focus();
          }}
        />
      </div>
      {visible.length === 0 ? (
        <EmptyState title={isFiltered ? 'Nothing fits the filter' : 'No operators'} {...(isFiltered ? {} : { text: 'The graph is empty.' })} />
      ) : (
        <Grid
          ref={scroller}
          label="Groups and operators"
          rowCount={visible.length}
          activeId={isActiveInView ? `outline-row-${activePlace}` : null}
          data-region-start
          className={styles.grid}
          onKeyDown={handleKey}
          head={
            <GridHead className={styles.head}>
              <div {...gridHeader} className={styles.name}>
                Name
              </div>
              <div {...gridHeader} className={styles.number} title="Operators inside">
                Operators
              </div>
            </GridHead>
          }
          bodyHeight={virtual.getTotalSize()}
        >
          {items.map((item) => {
            const row = rowAt(item.index);
            if (row === undefined) return null;
            return (
              <Row
                key={row.id}
                view={view}
                row={row}
                place={item.index}
                top={item.start}
                isOpen={row.kind === 'module' && !closed.has(row.id)}
                isActive={item.index === activePlace}
                isSelected={row.id === selectedId}
                onChoose={() => choose(row)}
                onToggle={() => toggle(row)}
              />
            );
          })}
        </Grid>
      )}
    </section>
  );
}

interface RowProps {
  readonly view: GraphView;
  readonly row: OutlineRow;
  readonly place: number;
  readonly top: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly onToggle: () => void;
}

function Row({ view, row, place, top, isOpen, isActive, isSelected, onChoose, onToggle }: RowProps) {
  const group = row.item.kind === 'group' ? view.groups[row.item.ref] : undefined;
  const words = group === undefined ? row.note : `${formatCount(group.nodes)} operators, ${shortCount(group.parameters)} parameters`;
  // The chevron folds; the rest of the row goes there.
  const handleClick = (event: MouseEvent) => (event.target instanceof Element && event.target.closest('[data-fold]') !== null ? onToggle() : onChoose());
  return (
    <GridRow
      id={`outline-row-${place}`}
      aria-rowindex={place + 2}
      aria-level={row.depth + 1}
      aria-label={`${row.label}, ${words}`}
      aria-selected={isSelected}
      {...(group === undefined ? {} : { 'aria-expanded': isOpen })}
      top={top}
      isActive={isActive}
      className={classNames(styles.row, group !== undefined && styles.module, isSelected && styles.selected)}
      onClick={handleClick}
    >
      <div {...gridCell} className={styles.name} style={{ paddingLeft: Math.min(row.depth, 12) * 14 }}>
        {group === undefined ? (
          <span className={styles.chevron} />
        ) : (
          <ChevronRight size={14} aria-hidden="true" data-fold="" className={classNames(styles.chevron, isOpen && styles.open)} />
        )}
        <MiddleEllipsis text={row.label} title={row.name} className={styles.label ?? ''} />
        {row.note === '' ? null : <span className={styles.note}>{row.note}</span>}
      </div>
      <div {...gridCell} className={styles.number}>
        {group === undefined ? '' : formatCount(group.nodes)}
      </div>
    </GridRow>
  );
}

/** Groups that are folded: by hand, else all but the outer ones when everything would be too much. With a filter none is. */
function closedRows(
  rows: readonly OutlineRow[],
  { isFiltered, choices }: { readonly isFiltered: boolean; readonly choices: ReadonlyMap<string, boolean> },
): ReadonlySet<string> {
  const closed = new Set<string>();
  if (isFiltered) return closed;
  const isLong = rows.length > FIRST_ROWS;
  for (const row of rows) if (row.kind === 'module' && !(choices.get(row.id) ?? !isLong)) closed.add(row.id);
  return closed;
}
