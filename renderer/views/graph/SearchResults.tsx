import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { classNames } from '../../components/classNames';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { MiddleEllipsis } from '../../components/MiddleEllipsis';
import { moveRow } from '../../components/moveRow';
import { SkeletonRows } from '../../components/Skeleton';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './SearchResults.module.css';

interface SearchResultsProps {
  readonly view: GraphView;
  /** Enter, after the choice: on to the drawing. */
  readonly onLeave: () => void;
  readonly ref: Ref<HTMLDivElement>;
}

const HIT_HEIGHT = 44;

/** Operators that the search found, in the order of the graph. Moving through them goes there. */
export function SearchResults({ view, onLeave, ref }: SearchResultsProps) {
  const { graph } = useStores();
  const search = useStore(graph, (state) => state.search);
  const found = latest(search.found);
  if (search.found.kind === 'failed') {
    return (
      <section className={styles.results} aria-label="Found in the graph" data-region>
        <div className={styles.notice}>
          <ErrorNotice title="The search could not be run" error={search.found.error} />
        </div>
      </section>
    );
  }
  if (found === undefined) {
    return (
      <section className={styles.results} aria-label="Found in the graph">
        <SkeletonRows count={8} label="Searching" />
      </section>
    );
  }
  return (
    <section className={styles.results} aria-label="Found in the graph" data-region>
      <h2 className={styles.head}>
        {formatCount(found.nodes.length)} {found.nodes.length === 1 ? 'operator' : 'operators'}
        {found.truncated ? ', and more' : ''}
      </h2>
      {found.nodes.length === 0 ? (
        <EmptyState
          title="Nothing was found"
          text={
            search.mode === 'path'
              ? 'A path names operators, in the order of the flow: MatMul -> Add.'
              : 'Names, operators, values and attributes were looked at.'
          }
        />
      ) : (
        <Hits ref={ref} view={view} hits={found.nodes} onLeave={onLeave} />
      )}
    </section>
  );
}

function Hits({ view, hits, onLeave, ref }: SearchResultsProps & { readonly hits: readonly { readonly node: number; readonly why: string }[] }) {
  const { graph } = useStores();
  const selection = useStore(graph, (state) => state.selection);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  useImperativeHandle(ref, () => scroller.current as HTMLDivElement);
  const virtual = useVirtualizer({ count: hits.length, getScrollElement: () => scroller.current, estimateSize: () => HIT_HEIGHT, overscan: 8 });
  const place = Math.min(active, hits.length - 1);
  const goTo = (index: number) => {
    const hit = hits[index];
    if (hit === undefined) return;
    setActive(index);
    virtual.scrollToIndex(index);
    graph.getState().goTo({ kind: 'node', ref: hit.node });
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / HIT_HEIGHT) - 1);
    const next = moveRow(event.key, place, { count: hits.length, page });
    if (next !== null) goTo(next);
    else if (event.key === 'Enter' || event.key === ' ') {
      goTo(place);
      if (event.key === 'Enter') onLeave();
    } else if (event.key === 'Escape') graph.getState().setSearch('', graph.getState().search.mode);
    else return;
    event.preventDefault();
  };
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Operators found"
      tabIndex={0}
      data-region-start
      className={styles.list}
      onFocus={() => {
        if (selection?.kind !== 'node' || !hits.some(({ node }) => node === selection.ref)) goTo(place);
      }}
      onKeyDown={handleKey}
      {...(items.some(({ index }) => index === place) ? { 'aria-activedescendant': `graph-hit-${place}` } : {})}
    >
      <div className={styles.body} style={{ height: virtual.getTotalSize() }} role="presentation">
        {items.map((item) => {
          const hit = hits[item.index];
          if (hit === undefined) return null;
          const isChosen = selection?.kind === 'node' && selection.ref === hit.node;
          const operator = view.operators[view.nodes.operator[hit.node] ?? -1] ?? '';
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around has the keyboard
            <div
              key={item.key}
              id={`graph-hit-${item.index}`}
              role="option"
              tabIndex={-1}
              aria-selected={isChosen}
              aria-posinset={item.index + 1}
              aria-setsize={hits.length}
              className={classNames(styles.hit, isChosen && styles.chosen, item.index === place && styles.active)}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={() => goTo(item.index)}
            >
              <MiddleEllipsis text={view.nodes.names[hit.node] || operator} className={styles.name ?? ''} />
              <span className={styles.why} title={hit.why}>
                <bdi>{hit.why === '' ? operator : hit.why}</bdi>
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
