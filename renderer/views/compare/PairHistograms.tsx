import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { Histogram } from '../../../shared/model/tensorStats';
import { formatNumber } from '../../charts/formatNumber';
import { barAt, type HistogramLayout, layoutHistogram } from '../../charts/histogramBars';
import { outlinePath, overlayHistograms } from '../../charts/overlaidHistograms';
import { Checkbox } from '../../components/Checkbox';
import chartStyles from '../../components/chart.module.css';
import { ExportMenu } from '../../components/ExportMenu';
import { ReadingSurface } from '../../components/ReadingSurface';
import type { ExportTable } from '../../components/tableText';
import { useElementSize } from '../../components/useElementSize';
import type { CompareDetail } from '../../state/compareDetailStore';
import { useStore, useStores } from '../../state/storesContext';
import styles from './PairHistograms.module.css';

const HEIGHT = 120;
const AXIS = 20;
const LOG = 'compare.logHistogram';

/** Distributions of both sides over the same bins: A filled, B as a dashed line. The pointer, or the arrow keys, read a bin. */
export function PairHistograms({ name, histograms }: { readonly name: string; readonly histograms: NonNullable<CompareDetail['histograms']> }) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(box);
  const isLog = useLogScale();
  const layout = useMemo(
    () => overlayHistograms(histograms.a, histograms.b, { width: Math.max(1, width), height: HEIGHT, scale: isLog ? 'log' : 'linear' }),
    [histograms, width, isLog],
  );
  const table = (): ExportTable => ({
    columns: ['from', 'to', 'a', 'b'],
    rows: layout.a.bars.map((bar, at) => [bar.from, bar.to, bar.count, layout.b.bars[at]?.count ?? 0]),
  });
  const read = (at: number) => {
    const [a, b] = [layout.a.bars[at], layout.b.bars[at]];
    return a === undefined ? '' : `${formatNumber(a.from)} to ${formatNumber(a.to)}: ${formatCount(a.count)} in A, ${formatCount(b?.count ?? 0)} in B`;
  };
  return (
    <Frame
      title="Histograms"
      label={`Histograms of ${name}`}
      exportLabel={`the histograms of ${name}`}
      box={box}
      width={width}
      layout={layout.a}
      table={table}
      read={read}
      summary={`At most ${formatCount(layout.peak)} elements in one of ${layout.a.bars.length} bins`}
      legend={
        <>
          <span className={styles.key}>
            <svg width={16} height={10} aria-hidden="true">
              <rect width={16} height={10} className={styles.a} />
            </svg>
            A
          </span>
          <span className={styles.key}>
            <svg width={16} height={10} aria-hidden="true">
              <line x1={0} x2={16} y1={5} y2={5} className={styles.b} />
            </svg>
            B
          </span>
        </>
      }
    >
      <path d={outlinePath(layout.a, HEIGHT)} className={styles.a} />
      <path d={outlinePath(layout.b, HEIGHT)} className={styles.b} />
    </Frame>
  );
}

/** Distribution of b - a over all elements. */
export function DeltaHistogram({ name, histogram }: { readonly name: string; readonly histogram: Histogram }) {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(box);
  const isLog = useLogScale();
  const layout = useMemo(
    () => layoutHistogram(histogram, { width: Math.max(1, width), height: HEIGHT, scale: isLog ? 'log' : 'linear' }),
    [histogram, width, isLog],
  );
  const read = (at: number) => {
    const bar = layout.bars[at];
    return bar === undefined ? '' : `${formatNumber(bar.from)} to ${formatNumber(bar.to)}: ${formatCount(bar.count)} elements`;
  };
  return (
    <Frame
      title="Histogram of Δ"
      label={`Histogram of the difference of ${name}`}
      exportLabel={`the histogram of the difference of ${name}`}
      box={box}
      width={width}
      layout={layout}
      table={() => ({ columns: ['from', 'to', 'count'], rows: layout.bars.map((bar) => [bar.from, bar.to, bar.count]) })}
      read={read}
      summary={`At most ${formatCount(layout.peak)} elements in one of ${layout.bars.length} bins`}
    >
      <path d={outlinePath(layout, HEIGHT)} className={styles.delta} />
    </Frame>
  );
}

function useLogScale(): boolean {
  const { settings } = useStores();
  return useStore(settings, (state) => state.values[LOG] !== false);
}

interface FrameProps {
  readonly title: string;
  readonly label: string;
  readonly exportLabel: string;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly width: number;
  readonly layout: HistogramLayout;
  readonly table: () => ExportTable;
  readonly read: (bin: number) => string;
  readonly summary: string;
  readonly legend?: ReactNode;
  readonly children: ReactNode;
}

/** Head, axis and reading of a histogram. */
function Frame({ title, label, exportLabel, box, width, layout, table, read, summary, legend, children }: FrameProps) {
  const { settings } = useStores();
  const isLog = useLogScale();
  const drawing = useRef<SVGSVGElement>(null);
  const [bin, setBin] = useState<number | null>(null);
  const last = layout.bars.length - 1;
  const bar = bin === null ? undefined : layout.bars[bin];
  const caption = bin === null || bar === undefined ? summary : read(bin);
  const point = (place: { readonly x: number } | null) => {
    const hit = place === null ? undefined : barAt(layout, place.x);
    setBin(hit === undefined ? null : layout.bars.indexOf(hit));
  };
  return (
    <figure className={chartStyles.figure}>
      <div className={chartStyles.head}>
        <h3>{title}</h3>
        {legend}
        <span className={chartStyles.space} />
        <Checkbox label="Log scale" checked={isLog} onChange={(checked) => settings.getState().setValue(LOG, checked)} />
        <ExportMenu label={exportLabel} chart={() => drawing.current} table={table} />
      </div>
      <div ref={box} className={styles.box}>
        <svg ref={drawing} width={width} height={HEIGHT + AXIS} role="img" aria-label={label}>
          {children}
          {bar === undefined ? null : <rect x={bar.x} y={0} width={Math.max(1, bar.width)} height={HEIGHT} className={chartStyles.cursor} />}
          {layout.zeroAt === null ? null : <line x1={layout.zeroAt} x2={layout.zeroAt} y1={0} y2={HEIGHT} className={chartStyles.zero} />}
          <line x1={0} x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className={chartStyles.axis} />
          {layout.ticks.map((tick) => (
            <text
              key={tick.at}
              x={tick.at}
              y={HEIGHT + 14}
              textAnchor={tick.at < 24 ? 'start' : tick.at > width - 24 ? 'end' : 'middle'}
              className={chartStyles.tick}
            >
              {tick.label}
            </text>
          ))}
        </svg>
        <ReadingSurface
          label={`Bins: ${title}`}
          place={bin}
          last={Math.max(0, last)}
          text={caption}
          onPoint={point}
          onKey={(key) => stepBin(key, bin, last)}
          onPlace={setBin}
        />
      </div>
      <figcaption className={chartStyles.caption}>{caption}</figcaption>
    </figure>
  );
}

function stepBin(key: string, bin: number | null, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, (bin ?? 1) - 1);
    case 'ArrowRight':
      return Math.min(last, (bin ?? -1) + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
