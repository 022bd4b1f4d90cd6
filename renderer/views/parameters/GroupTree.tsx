import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChangedGroup } from '../../../shared/model/checkpoint';
import { applyChoices, closedAtFirst } from '../../charts/collapsedModules';
import { parentRow, visibleRows } from '../../charts/nameTree';
import { buildModuleTree, type ModuleTree, type TreeRow } from '../../charts/treeRows';
import { asksToCopy, copyText } from '../../components/copyText';
import { Grid } from '../../components/Grid';
import { GridHead } from '../../components/GridRow';
import { ROW_HEIGHT, rowsOfPage, showRow } from '../../components/gridRows';
import { moveRow } from '../../components/moveRow';
import { ParameterHeads, SizeHead } from '../../components/ParameterCells';
import { GroupRow } from './GroupRow';
import styles from './GroupTree.module.css';

interface GroupTreeProps {
  readonly groups: readonly ChangedGroup[];
  /** With a filter everything that fits is open. */
  readonly isFiltered: boolean;
  readonly selected: string | null;
  readonly onSelect: (group: string) => void;
  /** Called by Enter, after the choice: on to the detail. */
  readonly onOpen: () => void;
}

/** Parameter groups as a collapsible tree of modules; renders only what is in view. Arrow keys move, Enter and Space choose. */
export function GroupTree({ groups, isFiltered, selected, onSelect, onOpen }: GroupTreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [activeId, setActiveId] = useState<string | null>(null);

  const tree = useMemo(() => buildModuleTree(groups), [groups]);
  const closed = useMemo(() => (isFiltered ? new Set<string>() : applyChoices(closedAtFirst(tree), choices)), [tree, isFiltered, choices]);
  const visible = useMemo(() => visibleRows(tree, closed), [tree, closed]);
  const virtual = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    scrollPaddingStart: 0,
  });

  const rowAt = (place: number) => tree[visible[place] ?? -1];
  const wantedId = activeId ?? (selected === null ? null : `g:${selected}`);
  const activePlace = useMemo(() => placeOf(tree, visible, wantedId) ?? (visible.length > 0 ? 0 : undefined), [tree, visible, wantedId]);

  const toggle = useCallback(
    (row: TreeRow) => {
      setActiveId(row.id);
      if (row.kind === 'module' && !isFiltered) setChoices((before) => new Map(before).set(row.id, closed.has(row.id)));
    },
    [closed, isFiltered],
  );
  const choose = useCallback(
    (row: TreeRow) => {
      setActiveId(row.id);
      if (row.kind === 'group') onSelect(row.entry.group.name);
    },
    [onSelect],
  );
  const goTo = (place: number) => {
    const row = rowAt(place);
    if (row === undefined) return;
    setActiveId(row.id);
    showRow(scroller.current, place);
  };

  // A group that was chosen elsewhere (a link, the search) is brought into view, its modules opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another group is chosen, not when the tree is opened or closed by hand
  useEffect(() => {
    if (selected === null) return;
    const index = tree.findIndex((row) => row.kind === 'group' && row.entry.group.name === selected);
    if (index < 0) return;
    const around = modulesAround(tree, index).filter((id) => closed.has(id));
    if (around.length > 0) setChoices((before) => new Map([...before, ...around.map((id) => [id, true] as const)]));
    else showRow(scroller.current, visible.indexOf(index));
  }, [selected, tree]);

  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const place = activePlace ?? null;
    const row = place === null ? undefined : rowAt(place);
    if (row !== undefined && asksToCopy(event)) {
      event.preventDefault();
      void copyText(row.kind === 'group' ? row.entry.group.name : row.label);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = moveRow(event.key, place, { count: visible.length, page: rowsOfPage(scroller.current) });
    if (target !== null) goTo(target);
    else if (row === undefined || place === null) return;
    else if (event.key === 'Enter' || event.key === ' ') {
      if (row.kind === 'module') toggle(row);
      else {
        choose(row);
        // The detail is rendered only after this choice.
        if (event.key === 'Enter') requestAnimationFrame(onOpen);
      }
    } else if (event.key === 'ArrowRight') {
      if (row.kind === 'module' && closed.has(row.id)) toggle(row);
      else if (row.kind === 'module') goTo(place + 1);
    } else if (event.key === 'ArrowLeft') {
      if (row.kind === 'module' && !closed.has(row.id) && !isFiltered) toggle(row);
      else {
        const parent = parentRow(tree, visible[place] ?? 0);
        if (parent !== undefined) goTo(visible.indexOf(parent));
      }
    } else return;
    event.preventDefault();
  };

  const items = virtual.getVirtualItems();
  const isActiveInView = activePlace !== undefined && items.some((item) => item.index === activePlace);
  return (
    <Grid
      ref={scroller}
      label="Parameter groups"
      rowCount={visible.length}
      activeId={isActiveInView ? `group-row-${activePlace}` : null}
      data-region-start
      className={styles.grid}
      onKeyDown={handleKey}
      head={<ColumnHeads />}
      bodyHeight={virtual.getTotalSize()}
    >
      {items.map((item) => {
        const row = rowAt(item.index);
        if (row === undefined) return null;
        return (
          <GroupRow
            key={row.id}
            row={row}
            id={`group-row-${item.index}`}
            rowIndex={item.index + 2}
            top={item.start}
            isOpen={row.kind === 'module' && !closed.has(row.id)}
            isActive={item.index === activePlace}
            isSelected={row.kind === 'group' && row.entry.group.name === selected}
            onChoose={choose}
            onToggle={toggle}
          />
        );
      })}
    </Grid>
  );
}

function ColumnHeads() {
  return (
    <GridHead className={styles.head}>
      <ParameterHeads columns={styles} name="Name" changeTitle="Against the first parent" />
      <SizeHead className={styles.stored} title="Bytes that are stored for it">
        Stored
      </SizeHead>
    </GridHead>
  );
}

function placeOf(tree: ModuleTree, visible: Int32Array, id: string | null): number | undefined {
  if (id === null) return undefined;
  const place = visible.findIndex((index) => tree[index]?.id === id);
  return place < 0 ? undefined : place;
}

function modulesAround(tree: ModuleTree, index: number): string[] {
  const ids: string[] = [];
  for (let at = parentRow(tree, index); at !== undefined; at = parentRow(tree, at)) {
    const row = tree[at];
    if (row !== undefined) ids.push(row.id);
  }
  return ids;
}
