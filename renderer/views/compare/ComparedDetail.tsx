import { Rows3 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { formatShape } from '../../../shared/model/shape';
import { Button } from '../../components/Button';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { GroupContent, GroupFact, GroupFacts, GroupPane } from '../../components/GroupPane';
import { ProgressBar } from '../../components/ProgressBar';
import { Skeleton } from '../../components/Skeleton';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import type { CompareDetail } from '../../state/compareDetailStore';
import { canMeasure } from '../../state/comparedNumbers';
import type { Comparison } from '../../state/compareStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ComparedDetail.module.css';
import type { JudgedRow } from './comparedRows';
import { CHANGE_WORDS, differenceWords, glyphOf } from './describeRow';
import { LargestChanges } from './LargestChanges';
import { PairFacts } from './PairFacts';
import { DeltaHistogram, PairHistograms } from './PairHistograms';
import { SliceMaps } from './SliceMaps';
import { SpectrumChart } from './SpectrumChart';

interface ComparedDetailProps {
  readonly sides: Comparison['sides'];
  readonly row: JudgedRow | undefined;
}

/** One group on both sides: in words, in numbers, as histograms, as pictures, and its largest changes. */
export function ComparedDetail({ sides, row }: ComparedDetailProps) {
  const { compare, compareDetail, workspace } = useStores();
  const tolerance = useStore(compare, (state) => state.tolerance);
  const group = row?.group;
  // The tolerance moves with a slider; what it changes here is one number, so it is followed once it rests.
  const target = useMemo(() => (group === undefined ? null : { sides, group }), [sides, group]);
  useEffect(() => {
    if (target === null) {
      compareDetail.getState().leave();
      return;
    }
    const timer = setTimeout(() => compareDetail.getState().show(target, tolerance), compareDetail.getState().target === null ? 0 : 60);
    return () => clearTimeout(timer);
  }, [compareDetail, target, tolerance]);
  useEffect(() => () => compareDetail.getState().leave(), [compareDetail]);

  if (row === undefined) {
    return (
      <EmptyState
        icon={<Rows3 size={24} />}
        title="No group chosen"
        text="Choose one to see its values on both sides: histograms, heat maps and the largest changes."
      />
    );
  }
  return (
    <GroupPane label="Compared group" name={row.name} onClose={() => workspace.getState().selectGroup(null)}>
      <Facts row={row} />
      <Content row={row} />
    </GroupPane>
  );
}

function Facts({ row }: { readonly row: JudgedRow }) {
  const { a, b } = row.group;
  const side = b ?? a;
  return (
    <GroupFacts>
      <GroupFact>
        <UpdateGlyph kind={glyphOf(row)} /> {CHANGE_WORDS[row.change]}
        {b === null ? ', only in A' : a === null ? ', only in B' : ''}
      </GroupFact>
      <code>{side?.dtype}</code>
      <code>{formatShape(side?.shape ?? [])}</code>
      {differenceWords(row.group).map((words) => (
        <bdi key={words} className={styles.difference}>
          {words}
        </bdi>
      ))}
    </GroupFacts>
  );
}

function Content({ row }: { readonly row: JudgedRow }) {
  const { compareDetail } = useStores();
  const detail = useStore(compareDetail, (state) => state.detail);
  const value = latest(detail);
  const { a, b } = row.group;
  const error = a?.error ?? b?.error ?? null;
  const hasElements = !(b ?? a)?.shape.includes(0);
  return (
    <>
      {detail.kind === 'loading' ? (
        <div className={styles.progress}>
          <ProgressBar label="Comparing the values" progress={detail.progress ?? null} onCancel={() => compareDetail.getState().cancel()} />
        </div>
      ) : null}
      <GroupContent aria-busy={detail.kind === 'loading'}>
        {error !== null ? <p className={styles.failure}>{error.message}</p> : null}
        {detail.kind === 'failed' ? (
          <ErrorNotice
            title="The values could not be compared"
            error={detail.error}
            action={<Button onClick={() => compareDetail.getState().retry()}>Try again</Button>}
          />
        ) : null}
        {a !== null && b !== null && error === null && !canMeasure(row.group) ? (
          <p className={styles.sentence}>
            The shapes differ ({formatShape(a.shape)} in A, {formatShape(b.shape)} in B), so the elements have no counterparts.
          </p>
        ) : null}
        {value !== undefined ? <Measured row={row} value={value} /> : detail.kind === 'loading' ? <Waiting /> : null}
        {hasElements && error === null ? <SliceMaps row={row} /> : error === null ? <p className={styles.sentence}>The tensor has no elements.</p> : null}
        {value !== undefined && value.largest.length > 0 ? <LargestChanges name={row.name} detail={value} /> : null}
      </GroupContent>
    </>
  );
}

function Measured({ row, value }: { readonly row: JudgedRow; readonly value: CompareDetail }) {
  const { structure, numbers, histograms, delta } = value;
  return (
    <>
      <p className={styles.sentence}>{sentenceOf(value)}</p>
      <PairFacts name={row.name} detail={value} />
      {histograms === null ? null : <PairHistograms name={row.name} histograms={histograms} />}
      {delta === null || numbers.changed === 0 ? null : <DeltaHistogram name={row.name} histogram={delta} />}
      {structure.spectrum.length < 2 || numbers.changed === 0 ? null : <SpectrumChart name={row.name} structure={structure} />}
    </>
  );
}

/** The kind of change, as a sentence. */
function sentenceOf({ structure, numbers }: CompareDetail): string {
  if (numbers.changed === 0) return 'The values are bit for bit equal.';
  const [first, ...others] = structure.words;
  if (first === undefined) return 'The values differ.';
  const start = /^an? /.test(first) ? `This is ${first}` : `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return `${[start, ...others].join('; ').replace(/\.$/, '')}.`;
}

function Waiting() {
  return (
    <div aria-hidden="true" className={styles.waiting}>
      <Skeleton width="60%" height="16px" />
      <Skeleton width="100%" height="96px" />
      <Skeleton width="100%" height="140px" />
    </div>
  );
}
