import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useMemo, useRef } from 'react';
import { formatCount } from '../../../../shared/base/formatBytes';
import { GRAPH_CHANGES } from '../../../../shared/model/graphEdit';
import type { GraphDiffIndex } from '../../../charts/graphDiff';
import { CHANGE_GLYPHS, CHANGE_WORDS, filterChanges, WHAT_WORDS } from '../../../charts/graphDiffWords';
import { classNames } from '../../../components/classNames';
import { EmptyState } from '../../../components/EmptyState';
import { MiddleEllipsis } from '../../../components/MiddleEllipsis';
import { moveRow } from '../../../components/moveRow';
import { SearchField } from '../../../components/SearchField';
import { Select } from '../../../components/Select';
import { updateLook } from '../../../components/updateLook';
import { useStore, useStores } from '../../../state/storesContext';
import styles from './ChangesList.module.css';
import { CHANGE_HUES } from './useDiffLooks';

interface ChangesListProps {
  readonly index: GraphDiffIndex;
  readonly searchRef: Ref<HTMLInputElement>;
  /** Enter, after the choice: on to the drawing. */
  readonly onLeave: () => void;
}

const ROW_HEIGHT = 44;

/** What differs, as a list: by kind and text, and moving through it goes there in both graphs. */
export function ChangesList({ index, searchRef, onLeave }: ChangesListProps) {
  const { graphDiff } = useStores();
  const filter = useStore(graphDiff, (state) => state.filter);
  const { changes } = index.diff;
  const listed = useMemo(() => filterChanges(changes, index.order, filter), [changes, index, filter]);
  const kinds = useMemo(() => {
    const present = GRAPH_CHANGES.filter((kind) => changes.some(({ change }) => change === kind));
    const count = (kind: (typeof GRAPH_CHANGES)[number]) => formatCount(changes.filter(({ change }) => change === kind).length);
    return [
      { value: 'all' as const, label: `All changes (${formatCount(changes.length)})` },
      ...present.map((kind) => ({ value: kind, label: `${CHANGE_GLYPHS[kind]} ${CHANGE_WORDS[kind]} (${count(kind)})` })),
    ];
  }, [changes]);
  return (
    <section className={styles.pane} aria-label="Changes" data-region>
      <div className={styles.top}>
        <SearchField
          ref={searchRef}
          label="Search the changes"
          placeholder="Search: name, operator"
          shortcut="/"
          value={filter.text}
          status={filter.text === '' ? '' : `${formatCount(listed.length)} found`}
          onChange={(text) => graphDiff.getState().setFilter({ text })}
        />
        <Select
          label="Kind of change"
          className={styles.select}
          value={filter.kind}
          options={kinds}
          onChange={(kind) => graphDiff.getState().setFilter({ kind })}
        />
      </div>
      {changes.length === 0 ? (
        <EmptyState title="The models are equal" text="Operators, initializers, their values, inputs and outputs are the same." />
      ) : listed.length === 0 ? (
        <EmptyState title="No change like this" text="Choose another kind, or another text." />
      ) : (
        <Rows index={index} listed={listed} onLeave={onLeave} />
      )}
    </section>
  );
}

function Rows({ index, listed, onLeave }: Pick<ChangesListProps, 'index' | 'onLeave'> & { readonly listed: readonly number[] }) {
  const { graphDiff } = useStores();
  const chosen = useStore(graphDiff, (state) => state.change);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: listed.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 8 });
  const place = chosen === null ? -1 : listed.indexOf(chosen);
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place);
  }, [place, virtual]);
  const goTo = (row: number) => {
    const change = listed[row];
    if (change !== undefined) graphDiff.getState().choose(change);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const next = moveRow(event.key, place < 0 ? null : place, { count: listed.length, page });
    if (next !== null) goTo(next);
    else if (event.key === 'Enter' || event.key === ' ') {
      goTo(Math.max(0, place));
      if (event.key === 'Enter') onLeave();
    } else return;
    event.preventDefault();
  };
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="List of changes"
      tabIndex={0}
      data-region-start
      className={styles.list}
      onKeyDown={handleKey}
      {...(items.some((item) => item.index === place) ? { 'aria-activedescendant': `graph-change-${place}` } : {})}
    >
      <div className={styles.body} style={{ height: virtual.getTotalSize() }} role="presentation">
        {items.map((item) => {
          const change = index.diff.changes[listed[item.index] ?? -1];
          if (change === undefined) return null;
          const words = `${WHAT_WORDS[change.what]} · ${CHANGE_WORDS[change.change]}`;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around has the keyboard
            <div
              key={item.key}
              id={`graph-change-${item.index}`}
              role="option"
              tabIndex={-1}
              aria-selected={item.index === place}
              aria-posinset={item.index + 1}
              aria-setsize={listed.length}
              className={classNames(styles.row, item.index === place && styles.chosen)}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={() => goTo(item.index)}
            >
              <span className={styles.glyph} style={{ color: updateLook(CHANGE_HUES[change.change]).text }} aria-hidden="true">
                {CHANGE_GLYPHS[change.change]}
              </span>
              <span className={styles.lines}>
                <span className={styles.what}>{words}</span>
                <MiddleEllipsis text={change.text} className={styles.text ?? ''} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
