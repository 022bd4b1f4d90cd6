import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { formatExactNumber, formatNumber, formatShare } from '../../charts/formatNumber';
import { useStore, useStores } from '../../state/storesContext';
import styles from './GraphStatus.module.css';
import { OVERLAY_WORDS, type ShownLooks } from './useGraphLooks';

interface GraphStatusProps {
  readonly view: GraphView;
  readonly shown: ShownLooks;
}

/** What the colours mean, and what is still being measured. */
export function GraphStatus({ view, shown }: GraphStatusProps) {
  const { graphOverlay, graph } = useStores();
  const waiting = useStore(graphOverlay, (state) => state.waiting);
  const table = useStore(graphOverlay, (state) => state.table);
  const overlay = useStore(graphOverlay, (state) => state.overlay);
  const isWorktree = useStore(graph, (state) => state.source === 'worktree');
  const needsVersion = isWorktree && (overlay === 'norm' || overlay === 'sparsity' || overlay === 'delta');
  return (
    <div className={styles.status}>
      {shown.numbers === null ? <FamilyLegend view={view} shown={shown} /> : <NumberLegend numbers={shown.numbers} />}
      {overlay === 'table' ? (
        <span className={styles.quiet}>{table === null ? 'Choose a table with two columns: name, number.' : <bdi>{table.file}</bdi>}</span>
      ) : null}
      {overlay === 'table' && table !== null && table.skipped > 0 ? (
        <span className={styles.quiet}>{formatCount(table.skipped)} lines without a number</span>
      ) : null}
      {needsVersion ? <span className={styles.quiet}>Values are measured at commits: choose “Selected commit”.</span> : null}
      <span role="status" className={styles.quiet}>
        {waiting > 0 ? `Measuring ${formatCount(waiting)} ${waiting === 1 ? 'group' : 'groups'}…` : ''}
      </span>
    </div>
  );
}

/** The kinds that occur. */
function FamilyLegend({ view, shown }: Pick<GraphStatusProps, 'view' | 'shown'>) {
  const present = new Set(shown.looks.ofNode);
  return (
    <span className={styles.legend} title={`${formatCount(view.nodes.names.length)} operators`}>
      {shown.looks.list.map((look, place) =>
        present.has(place) ? (
          <span key={look.word} className={styles.entry}>
            <span className={styles.swatch} style={{ background: look.fill }} aria-hidden="true" />
            {look.word}
          </span>
        ) : null,
      )}
    </span>
  );
}

function NumberLegend({ numbers: { overlay, scale, ramp, isEmpty, found } }: { readonly numbers: NonNullable<ShownLooks['numbers']> }) {
  const nothing = found.ofNode.includes(0) ? '0' : '–';
  const write = (value: number) => (isEmpty ? nothing : overlay === 'sparsity' ? formatShare(value) : formatNumber(value, 3));
  return (
    <span className={styles.legend}>
      <span className={styles.quiet}>{OVERLAY_WORDS[overlay].short}</span>
      <code title={formatExactNumber(scale.low)}>{write(scale.low)}</code>
      <span className={styles.ramp} style={{ backgroundImage: `linear-gradient(to right, ${ramp.join(', ')})` }} aria-hidden="true" />
      <code title={formatExactNumber(scale.high)}>{write(scale.high)}</code>
      {scale.kind === 'linear' ? null : <span className={styles.quiet}>logarithmic</span>}
      <span className={styles.entry}>
        <span className={styles.none} aria-hidden="true" />
        no number
      </span>
    </span>
  );
}
