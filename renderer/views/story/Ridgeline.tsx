import { useMemo, useRef } from 'react';
import type { CommitHash } from '../../../shared/model/commit';
import { formatNumber } from '../../charts/formatNumber';
import { layoutRidges, ridgesHeight } from '../../charts/ridges';
import { Button } from '../../components/Button';
import chartStyles from '../../components/chart.module.css';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ExportMenu } from '../../components/ExportMenu';
import { SkeletonRows } from '../../components/Skeleton';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './Ridgeline.module.css';
import type { StoryVersion } from './storyFacts';
import { commonRange, type StoryNumbers } from './storySeries';
import { laneColour } from './VersionChart';

/** More ridges than this cover each other; of longer histories every so-manieth version is drawn, the newest always. */
const MOST = 48;
const FRAME = { step: 14, overlap: 2.6 } as const;
const LEFT = 72;

interface RidgelineProps {
  readonly group: string;
  readonly versions: readonly StoryVersion[];
  readonly numbers: StoryNumbers;
  readonly width: number;
  readonly chosen: number | null;
  readonly onChoose: (commit: CommitHash) => void;
}

/** Histograms of all versions over one range, oldest at the bottom. */
export function Ridgeline({ group, versions, numbers, width, chosen, onChoose }: RidgelineProps) {
  const { story } = useStores();
  const ridges = useStore(story, (state) => state.ridges);
  const waiting = useStore(story, (state) => state.waiting);
  const drawing = useRef<SVGSVGElement>(null);
  const shown = useMemo(() => thinned(versions.filter(({ kind }) => kind !== 'removed')), [versions]);
  const value = latest(ridges);
  const layout = useMemo(
    () =>
      layoutRidges(
        shown.map(({ commit }) => value?.histograms.get(commit)?.counts ?? null),
        { width: Math.max(0, width - LEFT), ...FRAME },
      ),
    [shown, value, width],
  );
  const range = commonRange(shown, numbers);
  const load = () => {
    if (range !== null)
      story.getState().loadRidges(
        shown.map(({ commit }) => commit),
        range,
      );
  };

  if (ridges.kind === 'idle') {
    return (
      <Button disabled={range === null || waiting > 0} onClick={load}>
        Draw the distributions of {shown.length} {shown.length === 1 ? 'version' : 'versions'}
      </Button>
    );
  }
  if (ridges.kind === 'failed')
    return <ErrorNotice title="The distributions could not be drawn" error={ridges.error} action={<Button onClick={load}>Try again</Button>} />;
  if (value === undefined) return <SkeletonRows count={6} label="Counting" />;
  const height = ridgesHeight(shown.length, FRAME);
  return (
    <figure className={styles.figure}>
      <figcaption className={chartStyles.summary}>
        <span>
          {formatNumber(value.range.min)} to {formatNumber(value.range.max)}
          {shown.length < versions.length ? `, ${shown.length} of ${versions.length} versions` : ''}
        </span>
        <ExportMenu
          label={`distributions of ${group}`}
          chart={() => drawing.current}
          table={() => ({
            columns: ['commit', 'bin from', 'bin to', 'count'],
            rows: shown.flatMap(({ commit }) => binsOf(commit, value)),
          })}
        />
      </figcaption>
      <svg ref={drawing} width={width} height={height} role="img" aria-label={`Distributions of ${group} in ${shown.length} versions, the newest on top`}>
        {layout.toReversed().map((ridge, index) => {
          const version = shown[shown.length - 1 - index];
          if (version === undefined) return null;
          const isChosen = chosen !== null && versions[chosen]?.commit === version.commit;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table of versions does the same by keyboard
            <g key={version.commit} className={styles.ridge} onClick={() => onChoose(version.commit)}>
              <title>{`${version.commit.slice(0, 8)} ${version.info.title}`}</title>
              <text x={0} y={ridge.baseline} className={styles.label}>
                {version.commit.slice(0, 8)}
              </text>
              <path
                d={ridge.path}
                data-chosen={isChosen || undefined}
                className={styles.shape}
                transform={`translate(${LEFT} 0)`}
                stroke={laneColour(version.line)}
              />
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function thinned(versions: readonly StoryVersion[]): readonly StoryVersion[] {
  const step = Math.ceil(versions.length / MOST);
  return step <= 1 ? versions : versions.filter((_, index) => (versions.length - 1 - index) % step === 0);
}

function binsOf(
  commit: CommitHash,
  {
    range,
    histograms,
  }: { readonly range: { min: number; max: number }; readonly histograms: ReadonlyMap<CommitHash, { readonly counts: Float64Array } | null> },
) {
  const counts = histograms.get(commit)?.counts ?? new Float64Array(0);
  const step = (range.max - range.min) / counts.length;
  return Array.from(counts, (count, bin) => [commit, range.min + bin * step, range.min + (bin + 1) * step, count]);
}
