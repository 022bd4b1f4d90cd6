import { X } from 'lucide-react';
import { formatCount } from '../../../shared/base/formatBytes';
import { TIMELINE_KINDS } from '../../../shared/model/timeline';
import { formatExactNumber, formatNumber } from '../../charts/formatNumber';
import { HEAT_PALETTES, legendColours } from '../../charts/heatCells';
import { Button } from '../../components/Button';
import { IconButton } from '../../components/IconButton';
import { UpdateLegend } from '../../components/UpdateGlyph';
import { useIsDark } from '../../components/useCanvasLook';
import { MEASURE_LOOKS } from '../../state/cellNumbers';
import { useStore, useStores } from '../../state/storesContext';
import type { Shading } from './shadeCodes';
import styles from './TimelineStatus.module.css';
import type { ShownTimeline } from './useTimeline';

interface TimelineStatusProps {
  readonly shown: ShownTimeline;
  readonly shading: Shading | null;
  readonly activeText: string;
  readonly onCompare: () => void;
}

/** Legend, what the active cell is, and what can be done with the chosen range. */
export function TimelineStatus({ shown, shading, activeText, onCompare }: TimelineStatusProps) {
  const { timeline } = useStores();
  const waiting = useStore(timeline, (state) => state.waiting);
  const { states, columns, range } = shown;
  const commitAt = (place: number) => states.index.columns[columns[place] ?? -1]?.commit.slice(0, 7);
  return (
    <div className={styles.status}>
      {shading === null ? <KindLegend shown={shown} /> : <NumberLegend shown={shown} shading={shading} />}
      <span className={styles.active} title={activeText}>
        <bdi>{activeText}</bdi>
      </span>
      <span role="status" className={styles.waiting}>
        {waiting > 0 ? `Measuring ${formatCount(waiting)} ${waiting === 1 ? 'cell' : 'cells'}…` : ''}
      </span>
      {range === null ? null : (
        <span className={styles.range}>
          <code>{commitAt(range[0])}</code> … <code>{commitAt(range[1])}</code>
          <span className={styles.quiet}>{formatCount(range[1] - range[0] + 1)} versions</span>
          <Button look="primary" onClick={onCompare}>
            Compare its ends
          </Button>
          <IconButton label="Forget the range" icon={<X size={14} aria-hidden="true" />} onClick={() => timeline.getState().setOptions({ range: null })} />
        </span>
      )}
    </div>
  );
}

/** The kinds that occur; a repository rarely has them all. */
function KindLegend({ shown }: { readonly shown: ShownTimeline }) {
  const { kinds } = shown.states.index.changes;
  const present = new Set(kinds);
  return <UpdateLegend kinds={[...TIMELINE_KINDS.filter((_, code) => present.has(code)), 'unchanged']} />;
}

function NumberLegend({ shown, shading }: { readonly shown: ShownTimeline; readonly shading: Shading }) {
  const isDark = useIsDark();
  const { options, numbers } = shown;
  if (options.measure === 'update') return null;
  const { scale } = shading;
  const isEmpty = numbers.range(options.measure).greatest === 0;
  const palette = isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light;
  const colours = legendColours({ ...scale, kind: scale.kind === 'diverging' ? 'diverging' : 'sequential', clipped: false }, palette);
  return (
    <span className={styles.legend}>
      <span className={styles.quiet}>{MEASURE_LOOKS[options.measure].short}</span>
      <code title={formatExactNumber(scale.low)}>{isEmpty ? '–' : formatNumber(scale.low, 3)}</code>
      <span className={styles.ramp} style={{ backgroundImage: `linear-gradient(to right, ${colours.join(', ')})` }} aria-hidden="true" />
      <code title={formatExactNumber(scale.high)}>{isEmpty ? '–' : formatNumber(scale.high, 3)}</code>
      {scale.kind === 'linear' ? null : <span className={styles.quiet}>logarithmic</span>}
      <span className={styles.hatched} aria-hidden="true" />
      <span className={styles.quiet}>no number</span>
    </span>
  );
}
