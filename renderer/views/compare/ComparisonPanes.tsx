import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { classNames } from '../../components/classNames';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { type Pane, SplitPanes } from '../../components/SplitPanes';
import { useElementSize } from '../../components/useElementSize';
import type { Comparison } from '../../state/compareStore';
import { useStore, useStores } from '../../state/storesContext';
import { ComparedDetail } from './ComparedDetail';
import { ComparedGroups } from './ComparedGroups';
import styles from './ComparisonPanes.module.css';
import { ComparisonSummary, Measuring } from './ComparisonSummary';
import { judgeRows } from './comparedRows';

interface ComparisonPanesProps {
  readonly comparison: Comparison;
  /** Other sides are loading. */
  readonly isStale: boolean;
}

/** From this width on the detail stands beside the table. */
const WIDE = 940;

/** An opened comparison: the sentence about it, its rows, and the chosen one in detail. */
export function ComparisonPanes({ comparison, isStale }: ComparisonPanesProps) {
  const { compare, settings, workspace } = useStores();
  const turn = useStore(compare, (state) => state.numbersTurn);
  const tolerance = useStore(compare, (state) => state.tolerance);
  // While a slider moves, or rows come in by the hundred, the window stays quick.
  const judged = useDeferredValue(tolerance);
  const shownTurn = useDeferredValue(turn);
  const { numbersOf } = compare.getState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are measured in place, and the turn tells when
  const rows = useMemo(() => judgeRows(comparison.groups, { numbersOf, tolerance: judged }), [comparison, numbersOf, judged, shownTurn]);
  const name = useStore(workspace, (state) => state.group);
  const chosen = useMemo(() => (name === null ? undefined : rows.find((row) => row.name === name)), [rows, name]);

  const box = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(box);
  const isWide = width >= WIDE;
  const id = isWide ? 'compare-wide' : 'compare';
  const sizes = useStore(settings, (state) => state.panes[id]);
  const [isMetadata, setIsMetadata] = useState(false);
  const groups = (
    <ComparedGroups
      comparison={comparison}
      rows={rows}
      isMetadata={isMetadata}
      onMetadata={setIsMetadata}
      onOpen={() => detail.current?.querySelector<HTMLElement>('[data-region-start]')?.focus()}
    />
  );
  const panes: readonly Pane[] = [
    { id: 'groups', label: 'Resize the groups', defaultSize: isWide ? '56%' : '52%', minSize: isWide ? '420px' : '140px', content: groups },
    {
      id: 'detail',
      label: '',
      minSize: isWide ? '360px' : '140px',
      content: (
        <div ref={detail} className={styles.pane}>
          <ErrorBoundary name="detail of the comparison">
            <ComparedDetail sides={comparison.sides} row={chosen} />
          </ErrorBoundary>
        </div>
      ),
    },
  ];
  return (
    <div ref={box} className={classNames(styles.box, isStale && styles.stale)} aria-busy={isStale}>
      <ComparisonSummary comparison={comparison} rows={rows} />
      <div className={styles.panes}>
        {width === 0 ? null : (
          <SplitPanes
            key={id}
            id={id}
            orientation={isWide ? 'horizontal' : 'vertical'}
            panes={panes}
            sizes={sizes}
            onSizes={(next) => settings.getState().setPanes(id, next)}
          />
        )}
        <Measuring />
      </div>
    </div>
  );
}
