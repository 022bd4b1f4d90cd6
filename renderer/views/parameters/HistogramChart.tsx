import { useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { Histogram } from '../../../shared/model/tensorStats';
import { formatExactNumber, formatNumber, formatShare } from '../../charts/formatNumber';
import { barAt, type HistogramBar, type HistogramLayout, layoutHistogram } from '../../charts/histogramBars';
import { Checkbox } from '../../components/Checkbox';
import { CopyButton } from '../../components/CopyButton';
import chartStyles from '../../components/chart.module.css';
import { ReadingSurface } from '../../components/ReadingSurface';
import { useElementSize } from '../../components/useElementSize';
import { useStore, useStores } from '../../state/storesContext';
import styles from './HistogramChart.module.css';

interface HistogramChartProps {
  readonly name: string;
  readonly histogram: Histogram;
}

const HEIGHT = 120;
const AXIS = 20;

/** Distribution of the finite elements. The pointer, or the arrow keys, read a bin. */
export function HistogramChart({ name, histogram }: HistogramChartProps) {
  const { settings } = useStores();
  const isLog = useStore(settings, (state) => state.values['parameters.logHistogram'] === true);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(box);
  const [index, setIndex] = useState<number | null>(null);
  const layout = useMemo(
    () => layoutHistogram(histogram, { width: Math.max(1, width), height: HEIGHT, scale: isLog ? 'log' : 'linear' }),
    [histogram, width, isLog],
  );
  const bar = index === null ? undefined : layout.bars[index];

  const caption = bar === undefined ? summaryOf(histogram, layout) : readingOf(bar, layout.total);
  const point = (place: { readonly x: number } | null) => {
    const hit = place === null ? undefined : barAt(layout, place.x);
    setIndex(hit === undefined ? null : layout.bars.indexOf(hit));
  };

  return (
    <figure className={chartStyles.figure}>
      <div className={chartStyles.head}>
        <h3>Histogram</h3>
        <Checkbox label="Log scale" checked={isLog} onChange={(checked) => settings.getState().setValue('parameters.logHistogram', checked)} />
        <span className={chartStyles.space} />
        <CopyButton label="Copy histogram as CSV" text={() => histogramCsv(layout)} />
      </div>
      <div ref={box} className={styles.box}>
        <svg width={width} height={HEIGHT + AXIS} role="img" aria-label={`Histogram of ${name}`}>
          <path d={barsPath(layout.bars)} className={styles.bars} />
          {bar === undefined ? null : <rect x={bar.x} y={0} width={Math.max(1, bar.width)} height={HEIGHT} className={chartStyles.cursor} />}
          {layout.zeroAt === null ? null : <line x1={layout.zeroAt} x2={layout.zeroAt} y1={0} y2={HEIGHT} className={chartStyles.zero} />}
          <line x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className={chartStyles.axis} />
          {layout.ticks.map((tick) => (
            <text key={tick.at} x={tick.at} y={HEIGHT + 14} textAnchor={anchorOf(tick.at, width)} className={chartStyles.tick}>
              {tick.label}
            </text>
          ))}
        </svg>
        <ReadingSurface
          label="Bins of the histogram"
          place={index}
          last={layout.bars.length - 1}
          text={caption}
          onPoint={point}
          onKey={(key) => stepBin(key, index, layout.bars.length)}
          onPlace={setIndex}
        />
      </div>
      <figcaption className={chartStyles.caption}>{caption}</figcaption>
    </figure>
  );
}

function stepBin(key: string, index: number | null, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, (index ?? 1) - 1);
    case 'ArrowRight':
      return Math.min(count - 1, (index ?? -1) + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** One path for all bars: a hundred elements less. */
function barsPath(bars: readonly HistogramBar[]): string {
  return bars
    .map((bar) =>
      bar.height === 0
        ? ''
        : `M${bar.x.toFixed(2)} ${HEIGHT}v${(-bar.height).toFixed(2)}h${Math.max(0.5, bar.width - 0.5).toFixed(2)}v${bar.height.toFixed(2)}z`,
    )
    .join('');
}

function anchorOf(at: number, width: number): 'start' | 'middle' | 'end' {
  return at < 24 ? 'start' : at > width - 24 ? 'end' : 'middle';
}

function summaryOf({ min, max }: Histogram, layout: HistogramLayout): string {
  if (min === max) return `All ${formatCount(layout.total)} finite elements are ${formatNumber(min)}`;
  return `${formatNumber(min)} to ${formatNumber(max)}; at most ${countElements(layout.peak)} in one of ${layout.bars.length} bins`;
}

function readingOf(bar: HistogramBar, total: number): string {
  const share = total === 0 ? 0 : bar.count / total;
  return `${formatNumber(bar.from)} to ${formatNumber(bar.to)}: ${countElements(bar.count)}, ${formatShare(share)}`;
}

function countElements(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'element' : 'elements'}`;
}

function histogramCsv(layout: HistogramLayout): string {
  return ['from,to,count', ...layout.bars.map((bar) => `${formatExactNumber(bar.from)},${formatExactNumber(bar.to)},${bar.count}`)].join('\n');
}
