import { useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { PairStructure } from '../../../shared/model/pairNumbers';
import { formatNumber } from '../../charts/formatNumber';
import { layoutSpectrum } from '../../charts/spectrumPoints';
import chartStyles from '../../components/chart.module.css';
import { ExportMenu } from '../../components/ExportMenu';
import { ReadingSurface } from '../../components/ReadingSurface';
import { useElementSize } from '../../components/useElementSize';
import styles from './SpectrumChart.module.css';

const HEIGHT = 112;
const [LEFT, BOTTOM, TOP] = [36, 18, 6];

/** Largest singular values of the difference, on a logarithmic scale; a line after those that count. */
export function SpectrumChart({ name, structure }: { readonly name: string; readonly structure: PairStructure }) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const { width } = useElementSize(box);
  const [place, setPlace] = useState<number | null>(null);
  const { spectrum, rank, rankIsAtLeast } = structure;
  const inner = Math.max(1, width - LEFT);
  const layout = useMemo(
    () => layoutSpectrum(spectrum, { rank: rankIsAtLeast ? null : rank, width: inner, height: HEIGHT }),
    [spectrum, rank, rankIsAtLeast, inner],
  );
  const read = place === null ? undefined : layout.points[place];
  const caption =
    read !== undefined
      ? `Singular value ${formatCount(read.place)}: ${formatNumber(read.value)}, ${formatNumber(read.value / (spectrum[0] ?? 1))} of the largest`
      : rank === null
        ? `The largest ${formatCount(spectrum.length)} singular values of Δ`
        : rank >= spectrum.length
          ? `All ${formatCount(spectrum.length)} singular values shown count`
          : `${rankIsAtLeast ? 'At least ' : ''}${formatCount(rank)} of them count; the rest is rounding`;
  if (layout.points.length === 0) return null;
  const step = inner / spectrum.length;
  const stride = Math.max(1, Math.ceil(28 / step));
  return (
    <figure className={chartStyles.figure}>
      <div className={styles.head}>
        <h3>Spectrum of Δ</h3>
        <ExportMenu
          label={`the spectrum of ${name}`}
          chart={() => drawing.current}
          table={() => ({ columns: ['place', 'singular_value'], rows: spectrum.map((value, at) => [at + 1, value]) })}
        />
      </div>
      <div ref={box} className={styles.box}>
        <svg ref={drawing} width={width} height={HEIGHT + TOP + BOTTOM} role="img" aria-label={`Spectrum of the difference of ${name}`}>
          <g transform={`translate(${LEFT} ${TOP})`}>
            {layout.ticks.map(({ at, exponent }) => (
              <g key={exponent}>
                <line x1={0} x2={inner} y1={at} y2={at} className={chartStyles.grid} />
                <text x={-4} y={at + 3} textAnchor="end" className={chartStyles.tick}>
                  1e{exponent}
                </text>
              </g>
            ))}
            {layout.rankAt === null ? null : <line x1={layout.rankAt} x2={layout.rankAt} y1={0} y2={HEIGHT} className={styles.rank} />}
            {layout.points.map((point) => (
              <g key={point.place}>
                <line x1={point.x} x2={point.x} y1={HEIGHT} y2={point.y} className={styles.stem} />
                <circle cx={point.x} cy={point.y} r={2.5} className={point.place - 1 === place ? styles.read : styles.point} />
                {point.place === 1 || point.place % stride === 0 ? (
                  <text x={point.x} y={HEIGHT + 14} textAnchor="middle" className={chartStyles.tick}>
                    {point.place}
                  </text>
                ) : null}
              </g>
            ))}
          </g>
        </svg>
        <ReadingSurface
          label="Singular values"
          place={place}
          last={spectrum.length - 1}
          text={caption}
          onPoint={(point) => setPlace(point === null ? null : Math.max(0, Math.min(spectrum.length - 1, Math.floor((point.x - LEFT) / step))))}
          onKey={(key) => {
            if (key === 'ArrowRight') return Math.min(spectrum.length - 1, (place ?? -1) + 1);
            if (key === 'ArrowLeft') return Math.max(0, (place ?? 1) - 1);
            return null;
          }}
          onPlace={setPlace}
        />
      </div>
      <figcaption className={chartStyles.caption}>{caption}</figcaption>
    </figure>
  );
}
