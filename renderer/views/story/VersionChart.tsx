import { useMemo, useRef } from 'react';
import { formatNumber, formatShare } from '../../charts/formatNumber';
import type { StoryLink } from '../../charts/storyPoints';
import { layoutVersionChart, stepVersion, versionAt } from '../../charts/versionChart';
import chartStyles from '../../components/chart.module.css';
import { ExportMenu } from '../../components/ExportMenu';
import { ReadingSurface } from '../../components/ReadingSurface';
import type { StoryVersion } from './storyFacts';
import type { StoryChart } from './storySeries';
import styles from './VersionChart.module.css';

const HEIGHT = 92;
const LEFT = 64;
/** Dots are drawn as long as they do not touch. */
const LEAST_GAP = 7;
const DASHES = ['', '5 3', '2 3'] as const;

interface VersionChartProps {
  readonly group: string;
  readonly chart: StoryChart;
  readonly versions: readonly StoryVersion[];
  readonly links: readonly StoryLink[];
  readonly width: number;
  /** Version under the pointer, in any of the charts. */
  readonly hovered: number | null;
  readonly chosen: number | null;
  readonly onHover: (place: number | null) => void;
  readonly onChoose: (place: number) => void;
}

/** A number, or a few, over the versions of a group; branches are lines of their own. */
export function VersionChart({ group, chart, versions, links, width, hovered, chosen, onHover, onChoose }: VersionChartProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const frame = { width, height: HEIGHT, left: LEFT };
  const { title, series, hasBand } = chart;
  const layout = useMemo(
    () =>
      layoutVersionChart(
        series.map(({ values }) => values),
        links,
        { frame: { width, height: HEIGHT, left: LEFT }, hasBand },
      ),
    [series, links, width, hasBand],
  );
  const show = (value: number | null | undefined) => (value == null ? '–' : chart.isShare ? formatShare(value) : formatNumber(value));
  const place = hovered ?? chosen;
  const isKnown = layout.ticks.length > 0;
  const readout =
    place === null || !isKnown ? '' : series.map(({ label, values }) => `${series.length > 1 ? `${label} ` : ''}${show(values[place])}`).join(' · ');
  const hasDots = (width - LEFT) / Math.max(1, versions.length) >= LEAST_GAP;
  return (
    <figure className={chartStyles.figure}>
      <figcaption className={chartStyles.head}>
        <h3>{title}</h3>
        <span className={styles.readout}>{readout}</span>
        <ExportMenu
          label={`${title} of ${group}`}
          chart={() => drawing.current}
          table={() => ({
            columns: ['commit', 'title', ...series.map(({ label }) => label)],
            rows: versions.map(({ commit, info }, index) => [commit, info.title, ...series.map(({ values }) => values[index] ?? null)]),
          })}
        />
      </figcaption>
      <div className={styles.box}>
        <svg ref={drawing} width={width} height={HEIGHT} role="img" aria-label={summarise(chart, show)} className={styles.chart}>
          {layout.ticks.map(({ value, y }) => (
            <g key={value}>
              <line x1={LEFT} x2={width} y1={y} y2={y} className={chartStyles.grid} />
              <text x={LEFT - 6} y={y} dy="0.32em" textAnchor="end" className={chartStyles.tick}>
                {show(value)}
              </text>
            </g>
          ))}
          {layout.band === null ? null : <path d={layout.band} className={styles.band} />}
          {layout.strokes.map((stroke) => (
            <path
              key={`${stroke.series} ${stroke.path}`}
              d={stroke.path}
              className={styles.stroke}
              stroke={laneColour(stroke.line)}
              strokeDasharray={stroke.isMerge ? '1 3' : DASHES[hasBand ? (stroke.series === 1 ? 0 : 1) : stroke.series % DASHES.length]}
            />
          ))}
          {layout.y.flatMap((places, index) =>
            hasDots || versions.length === 1
              ? places.map((y, at) =>
                  // biome-ignore lint/suspicious/noArrayIndexKey: a version stands at its place for good
                  y === null ? null : <circle key={`${index} ${at}`} cx={layout.x[at]} cy={y} r={2.5} fill={laneColour(versions[at]?.line ?? 0)} />,
                )
              : [],
          )}
          {chosen === null ? null : <line x1={layout.x[chosen]} x2={layout.x[chosen]} y1={0} y2={HEIGHT} className={styles.chosen} />}
          {hovered === null ? null : <line x1={layout.x[hovered]} x2={layout.x[hovered]} y1={0} y2={HEIGHT} className={styles.hovered} />}
        </svg>
        <ReadingSurface
          label={`Versions, ${title}`}
          place={place}
          last={Math.max(0, versions.length - 1)}
          text={readout}
          onPoint={(point) => onHover(point === null ? null : versionAt(point.x, versions.length, frame))}
          onKey={(key) => stepVersion(key, place, versions.length)}
          onPlace={onHover}
          onChoose={() => {
            if (place !== null) onChoose(place);
          }}
        />
      </div>
    </figure>
  );
}

export function laneColour(line: number): string {
  return `var(--lane-${(line % 8) + 1})`;
}

/** What the picture shows, for those who do not see it. */
function summarise({ title, series }: StoryChart, show: (value: number | null | undefined) => string): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return `${label}: not known`;
    return `${label}: ${known.length} versions, from ${show(known[0])} to ${show(known.at(-1))}`;
  });
  return `${title}. ${parts.join('; ')}.`;
}
