import { formatCount } from '../../../../shared/base/formatBytes';
import { formatShape } from '../../../../shared/model/shape';
import { formatNumber, formatShare } from '../../../charts/formatNumber';
import type { GraphDiffIndex } from '../../../charts/graphDiff';
import { CHANGE_GLYPHS, CHANGE_WORDS, diffSentence, groupSentence, WHAT_WORDS } from '../../../charts/graphDiffWords';
import type { GraphItem } from '../../../charts/graphScene';
import { CopyButton } from '../../../components/CopyButton';
import { describeItem } from '../../../components/graph/describeItem';
import { updateLook } from '../../../components/updateLook';
import type { InitializerNumbers } from '../../../state/graphDiffNumbers';
import { useStore, useStores } from '../../../state/storesContext';
import { Facts, PanelFrame, PanelSection } from '../PanelParts';
import styles from './DiffPanel.module.css';
import { CHANGE_HUES, noteOfSide } from './useDiffLooks';

/** What became of the chosen thing: each change in words, and the numbers of initializers that differ in values. */
export function DiffPanel({ index }: { readonly index: GraphDiffIndex }) {
  const { graphDiff } = useStores();
  const selection = useStore(graphDiff, (state) => state.selection);
  const change = useStore(graphDiff, (state) => state.change);
  if (selection !== null) return <ItemPanel index={index} item={selection} />;
  const found = change === null ? undefined : index.diff.changes[change];
  return (
    <PanelFrame label="Comparison" title={found === undefined ? 'Comparison' : `${WHAT_WORDS[found.what]} · ${CHANGE_WORDS[found.change]}`} name="">
      {found === undefined || change === null ? (
        <>
          <p className={styles.text}>{diffSentence(index.diff.changes)}</p>
          {index.diff.changes.length === 0 ? null : <p className={styles.quiet}>Choose a change or a box to see what differs.</p>}
        </>
      ) : (
        <ChangeText index={index} change={change} />
      )}
    </PanelFrame>
  );
}

const TITLES: Readonly<Record<GraphItem['kind'], string>> = { node: 'Operator', group: 'Group', value: 'Value' };

function ItemPanel({ index, item }: { readonly index: GraphDiffIndex; readonly item: GraphItem }) {
  const { graphDiff } = useStores();
  const chosen = useStore(graphDiff, (state) => state.change);
  const { title, name, facts } = describeItem(index.diff.view, item);
  const changes = index.changesOf(item);
  // The chosen one first.
  const ordered = chosen !== null && changes.includes(chosen) ? [chosen, ...changes.filter((change) => change !== chosen)] : changes;
  const side = noteOfSide(index, item);
  const inside = item.kind === 'group' ? groupSentence(index.ofGroup[item.ref] ?? {}) : '';
  return (
    <PanelFrame label={`Compared ${TITLES[item.kind].toLowerCase()}`} title={title} name={name} onClose={() => graphDiff.getState().select(null)}>
      <p className={styles.quiet}>{[side === '' ? 'in A and B' : side, ...facts].join(' · ')}</p>
      {item.kind === 'group' ? <p className={styles.text}>{inside === '' ? 'Nothing inside changed.' : inside}</p> : null}
      {item.kind !== 'group' && changes.length === 0 ? <p className={styles.text}>Nothing changed here.</p> : null}
      {ordered.map((change) => (
        <ChangeText key={change} index={index} change={change} />
      ))}
    </PanelFrame>
  );
}

function ChangeText({ index, change }: { readonly index: GraphDiffIndex; readonly change: number }) {
  const { graphDiff } = useStores();
  const found = index.diff.changes[change];
  const initializer = found?.what === 'initializer' ? Math.max(found.a, found.b) : -1;
  const numbers = useStore(graphDiff, (state) => state.numbers.get(initializer));
  // The numbers come in place.
  useStore(graphDiff, (state) => state.turn);
  if (found === undefined) return null;
  return (
    <div className={styles.change}>
      <p className={styles.kind}>
        <span className={styles.glyph} style={{ color: updateLook(CHANGE_HUES[found.change]).text }} aria-hidden="true">
          {CHANGE_GLYPHS[found.change]}
        </span>
        {WHAT_WORDS[found.what]} · {CHANGE_WORDS[found.change]}
        <CopyButton label={`Copy the change of ${found.text.split(' ')[0] ?? ''}`} text={found.text} />
      </p>
      <p className={styles.mono}>
        <bdi>{found.text}</bdi>
      </p>
      {found.what === 'initializer' && found.change === 'value' ? <PairNumbersSection measured={numbers} /> : null}
    </div>
  );
}

function PairNumbersSection({ measured }: { readonly measured: InitializerNumbers | undefined }) {
  const { graphDiff } = useStores();
  const error = useStore(graphDiff, (state) => state.numbersError);
  if (measured === undefined) return <p className={styles.quiet}>{error === null ? 'Being measured…' : error.message}</p>;
  const { numbers } = measured;
  if (numbers === null) return <p className={styles.quiet}>{measured.error?.message ?? 'It cannot be measured.'}</p>;
  const share = numbers.elements === 0 ? 0 : numbers.changed / numbers.elements;
  return (
    <PanelSection title="A against B">
      <Facts
        facts={[
          { name: 'Shape', value: `${numbers.comparedAs} ${formatShape(numbers.shape)}`, isMono: true },
          { name: 'Changed', value: `${formatCount(numbers.changed)} of ${formatCount(numbers.elements)} (${formatShare(share)})` },
          { name: '‖Δ‖', value: formatNumber(numbers.norm), isMono: true },
          { name: '‖Δ‖ / ‖A‖', value: numbers.relativeL2 === null ? 'A is zero' : formatNumber(numbers.relativeL2), isMono: true },
          { name: 'Largest |Δ|', value: `${formatNumber(numbers.maxAbs)}${numbers.maxAt === null ? '' : ` at [${numbers.maxAt.join(', ')}]`}`, isMono: true },
          { name: 'Mean |Δ|', value: formatNumber(numbers.meanAbs), isMono: true },
          numbers.cosine === null ? null : { name: 'Cosine', value: formatNumber(numbers.cosine, 6), isMono: true },
          numbers.signFlips === 0 ? null : { name: 'Sign flips', value: formatCount(numbers.signFlips) },
          numbers.notFinite === 0 ? null : { name: 'Not finite', value: formatCount(numbers.notFinite) },
        ]}
      />
    </PanelSection>
  );
}
