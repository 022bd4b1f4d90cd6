import { formatCount } from '../../../../shared/base/formatBytes';
import { GRAPH_CHANGES } from '../../../../shared/model/graphEdit';
import { formatExactNumber, formatNumber } from '../../../charts/formatNumber';
import type { GraphDiffIndex } from '../../../charts/graphDiff';
import { CHANGE_GLYPHS, CHANGE_WORDS } from '../../../charts/graphDiffWords';
import { Button } from '../../../components/Button';
import { updateLook } from '../../../components/updateLook';
import { useStore, useStores } from '../../../state/storesContext';
import styles from '../GraphStatus.module.css';
import own from './DiffLegend.module.css';
import { CHANGE_HUES, type DiffLooks } from './useDiffLooks';

/** What signs and colours mean, and what is still being measured. */
export function DiffLegend({ index, looks, isOverlaid }: { readonly index: GraphDiffIndex; readonly looks: DiffLooks; readonly isOverlaid: boolean }) {
  const { graphDiff } = useStores();
  const waiting = useStore(graphDiff, (state) => state.waiting);
  const error = useStore(graphDiff, (state) => state.numbersError);
  const { changes } = index.diff;
  const present = GRAPH_CHANGES.filter((kind) => changes.some(({ change }) => change === kind));
  const hasOneSided = present.includes('added') || present.includes('removed');
  if (changes.length === 0) return null;
  return (
    <div className={styles.status}>
      <span className={styles.legend}>
        {present.map((kind) => (
          <span key={kind} className={styles.entry}>
            <span className={own.glyph} style={{ color: updateLook(CHANGE_HUES[kind]).text }} aria-hidden="true">
              {CHANGE_GLYPHS[kind]}
            </span>
            {CHANGE_WORDS[kind]}
          </span>
        ))}
        {hasOneSided && !isOverlaid ? (
          <span className={styles.entry}>
            <span className={styles.none} aria-hidden="true" />
            not on this side
          </span>
        ) : null}
      </span>
      {looks.scale === null ? null : (
        <span className={styles.legend}>
          <span className={styles.quiet}>‖Δ‖ of values</span>
          <code title={formatExactNumber(looks.scale.low)}>{formatNumber(looks.scale.low, 3)}</code>
          <span className={styles.ramp} style={{ backgroundImage: `linear-gradient(to right, ${looks.ramp.join(', ')})` }} aria-hidden="true" />
          <code title={formatExactNumber(looks.scale.high)}>{formatNumber(looks.scale.high, 3)}</code>
          <span className={styles.quiet}>logarithmic</span>
        </span>
      )}
      <span role="status" className={styles.quiet}>
        {waiting > 0 ? `Measuring ${formatCount(waiting)} ${waiting === 1 ? 'initializer' : 'initializers'}…` : ''}
      </span>
      {error === null ? null : (
        <span className={own.error}>
          <bdi>{error.message}</bdi>
          <Button onClick={() => graphDiff.getState().retryNumbers()}>Measure again</Button>
        </span>
      )}
    </div>
  );
}
