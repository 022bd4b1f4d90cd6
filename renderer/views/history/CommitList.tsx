import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useMemo, useRef } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { type CommitInfo, headCommit, type RefInfo } from '../../../shared/model/commit';
import { BAR_SCALE_NOTE } from '../../charts/changeBar';
import { Grid } from '../../components/Grid';
import { GridHead, GridRow } from '../../components/GridRow';
import { gridHeader } from '../../components/gridRoles';
import { ROW_HEIGHT, rowsOfPage } from '../../components/gridRows';
import { moveRow } from '../../components/moveRow';
import { Skeleton } from '../../components/Skeleton';
import type { HistoryList } from '../../state/historyList';
import { useStore, useStores } from '../../state/storesContext';
import styles from './CommitList.module.css';
import { CommitRow, rowId } from './CommitRow';
import { graphWidth } from './LaneGraphic';
import { useListScroll } from './useListScroll';
import { useNow } from './useNow';

/** Rows with nothing in them yet, below the ones that are loaded, while nobody knows how many there are. */
const UNKNOWN_TAIL = 40;
const NO_REFS: readonly RefInfo[] = [];

interface CommitListProps {
  readonly list: HistoryList;
  readonly repository: RepositoryDescription;
  /** Enter or a double click: on to the commit itself. */
  readonly onOpen: () => void;
  readonly ref?: Ref<HTMLDivElement>;
}

/** The commit graph: a treegrid that renders only what is in view. The grid has the focus; the selected commit is its active row. */
export function CommitList({ list, repository, onOpen, ref }: CommitListProps) {
  const { compare, history, workspace } = useStores();
  const loaded = useStore(history, (state) => state.loaded);
  const total = useStore(history, (state) => state.total);
  const reveal = useStore(history, (state) => state.reveal);
  const search = useStore(history, (state) => state.search);
  const { changeOf, setWindow, stepSearch, loadRows } = history.getState();
  // Only to render again when changes have come.
  useStore(history, (state) => state.changesTurn);
  const selected = useStore(workspace, (state) => state.commit);
  const path = useStore(workspace, (state) => state.path);
  const now = useNow();

  const scroller = useRef<HTMLDivElement>(null);
  const count = total ?? loaded + UNKNOWN_TAIL;
  const virtual = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 12 });
  useListScroll(scroller, { list, selected, reveal });

  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  useEffect(() => setWindow(first, end), [setWindow, first, end]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is appended to in place, and `loaded` tells when
  const rows = useMemo(() => list.lanes.rows(first, end), [list, list.lanes, loaded, first, end]);

  const refsOf = useMemo(() => groupRefs(repository.refs), [repository.refs]);
  const headHash = headCommit(repository.head);
  const checkpoint = repository.checkpoints.find((candidate) => candidate.path === path);
  const width = graphWidth(list.lanes.laneCount);
  const selectedRow = selected === null ? undefined : list.rowOf(selected);
  const isActiveInView = selectedRow !== undefined && selectedRow >= first && selectedRow < end;

  const select = useMemo(() => (commit: CommitInfo) => workspace.getState().selectCommit(commit.hash), [workspace]);
  const marked = useStore(compare, (state) => state.marked);
  const mark = useMemo(() => (commit: CommitInfo) => compare.getState().mark(compare.getState().marked === commit.hash ? null : commit.hash), [compare]);
  const selectRow = async (row: number) => {
    if (row >= list.loaded) await loadRows(row + 1);
    const commit = list.commitAt(Math.min(row, list.loaded - 1));
    if (commit !== undefined) select(commit);
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onOpen();
      return;
    }
    if ((event.key === 'n' || event.key === 'p') && search.found.length > 0) {
      event.preventDefault();
      stepSearch(event.key === 'n' ? 'next' : 'previous');
      return;
    }
    const from = selectedRow ?? (first > 0 ? first + 12 : null);
    // End goes to the end of the whole history, however long it takes to load.
    const target =
      event.key === 'End'
        ? (total ?? Number.MAX_SAFE_INTEGER) - 1
        : moveRow(event.key, from, { count: Math.max(1, list.loaded), page: rowsOfPage(scroller.current) });
    if (target === null) return;
    event.preventDefault();
    void selectRow(target);
  };

  return (
    <Grid
      ref={mergeRefs(scroller, ref)}
      label="Commit history"
      rowCount={total}
      activeId={isActiveInView && selected !== null ? rowId(selected) : null}
      aria-busy={loaded < end && !list.isComplete}
      data-region-start
      className={styles.grid}
      onKeyDown={handleKey}
      head={<ColumnHeads width={width} path={path} />}
      bodyHeight={virtual.getTotalSize()}
    >
      {items.map((item) => {
        const commit = list.commitAt(item.index);
        const lanes = rows[item.index - first];
        if (commit === undefined || lanes === undefined) return list.isComplete ? null : <WaitingRow key={item.index} row={item.index} top={item.start} />;
        return (
          <CommitRow
            key={commit.hash}
            commit={commit}
            lanes={lanes}
            graphWidth={width}
            top={item.start}
            isSelected={commit.hash === selected}
            refs={refsOf.get(commit.hash) ?? NO_REFS}
            head={repository.head}
            isHead={commit.hash === headHash}
            showChanges={path !== null}
            change={changeOf(commit.hash)}
            reference={checkpoint?.bytes ?? 0}
            found={search.byCommit.get(commit.hash)}
            searched={search.text}
            now={now}
            isMarked={commit.hash === marked}
            onSelect={select}
            onMark={mark}
            onOpen={onOpen}
          />
        );
      })}
    </Grid>
  );
}

function ColumnHeads({ width, path }: { readonly width: number; readonly path: string | null }) {
  return (
    <GridHead className={styles.head}>
      <div {...gridHeader} className={styles.graph} style={{ width }}>
        <span className="visually-hidden">Graph</span>
      </div>
      <div {...gridHeader} className={styles.title}>
        Commit
      </div>
      {path === null ? null : (
        <div {...gridHeader} className={styles.changes} title={`Changes in ${path}\n${BAR_SCALE_NOTE}`}>
          <span className="visually-hidden">Changes in </span>
          <bdi>{path.slice(path.lastIndexOf('/') + 1)}</bdi>
        </div>
      )}
      <div {...gridHeader} className={styles.author}>
        Author
      </div>
      <div {...gridHeader} className={styles.date}>
        Date
      </div>
      <div {...gridHeader} className={styles.hash}>
        Hash
      </div>
    </GridHead>
  );
}

function WaitingRow({ row, top }: { readonly row: number; readonly top: number }) {
  return (
    <GridRow top={top} className={styles.row} aria-hidden="true">
      <span className={styles.waiting}>
        <Skeleton width={`${30 + ((row * 17) % 40)}%`} />
      </span>
    </GridRow>
  );
}

/** Refs by the commit that they end at: branches first, then tags, then what is only on remotes. */
function groupRefs(refs: readonly RefInfo[]): Map<string, RefInfo[]> {
  const order = { branch: 0, tag: 1, 'remote-branch': 2 } as const;
  const byCommit = new Map<string, RefInfo[]>();
  for (const ref of [...refs].sort((a, b) => order[a.kind] - order[b.kind])) {
    const others = byCommit.get(ref.commit);
    if (others === undefined) byCommit.set(ref.commit, [ref]);
    else others.push(ref);
  }
  return byCommit;
}

function mergeRefs<T>(...refs: (Ref<T> | undefined)[]): (element: T | null) => void {
  return (element) => {
    for (const ref of refs) {
      if (typeof ref === 'function') ref(element);
      else if (ref != null) ref.current = element;
    }
  };
}
