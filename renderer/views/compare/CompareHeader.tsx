import { ArrowLeftRight, Workflow } from 'lucide-react';
import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { IconButton } from '../../components/IconButton';
import { Skeleton } from '../../components/Skeleton';
import { formatName, storageName } from '../../components/words';
import type { SideName } from '../../state/compareStore';
import { describeChoice } from '../../state/describeChoice';
import { latest } from '../../state/loadable';
import type { SideChoice } from '../../state/sideChoice';
import { useStore, useStores } from '../../state/storesContext';
import styles from './CompareHeader.module.css';

/** Both sides: what they are, and how to choose others. */
export function CompareHeader() {
  const { compare } = useStores();
  const hasBoth = useStore(compare, (state) => state.a !== null && state.b !== null);
  const hasOne = useStore(compare, (state) => state.a !== null || state.b !== null);
  return (
    <header className={styles.header}>
      <SideCard side="a" />
      <IconButton label="Swap the sides" icon={<ArrowLeftRight size={16} aria-hidden="true" />} disabled={!hasOne} onClick={() => compare.getState().swap()} />
      <SideCard side="b" />
      <GraphsButton />
      {hasBoth ? <CopyButton label="Copy link to this comparison" text={() => window.location.href} /> : null}
    </header>
  );
}

/** Where both sides are ONNX models: on to their graphs. */
function GraphsButton() {
  const { compare, graphDiff, workspace } = useStores();
  const areModels = useStore(compare, (state) => {
    const comparison = state.isStale ? undefined : latest(state.comparison);
    return comparison?.a.format === 'onnx' && comparison.b.format === 'onnx';
  });
  if (!areModels) return null;
  return (
    <Button
      icon={<Workflow size={14} />}
      onClick={() => {
        graphDiff.getState().show();
        workspace.getState().showView('graph');
      }}
    >
      Show the graphs
    </Button>
  );
}

function SideCard({ side }: { readonly side: SideName }) {
  const { compare } = useStores();
  const choice = useStore(compare, (state) => state[side]);
  const letter = side.toUpperCase();
  return (
    <section className={styles.card} aria-label={`Side ${letter}`} data-compare-side={side}>
      <span className={styles.letter} aria-hidden="true">
        {letter}
      </span>
      <div className={styles.body}>
        {choice === null ? <span className={styles.none}>Nothing chosen. Drop a file here, or choose.</span> : <Chosen side={side} choice={choice} />}
      </div>
      <Button aria-label={`Choose side ${letter}`} onClick={() => compare.getState().pick(side)} {...(side === 'a' ? { 'data-region-start': true } : {})}>
        Choose…
      </Button>
    </section>
  );
}

function Chosen({ side, choice }: { readonly side: SideName; readonly choice: SideChoice }) {
  const { compare } = useStores();
  const comparison = useStore(compare, (state) => state.comparison);
  const isStale = useStore(compare, (state) => state.isStale);
  const paths = useStore(compare, (state) => state.paths[side]);
  const description = isStale ? undefined : latest(comparison)?.[side];
  const label = description?.label ?? describeChoice(choice);
  return (
    <>
      <bdi className={styles.label} title={label}>
        {label}
      </bdi>
      <span className={styles.facts}>
        {description === undefined ? (
          comparison.kind === 'loading' ? (
            <Skeleton width="160px" height="10px" />
          ) : null
        ) : (
          <>
            <span>{formatName(description.format)}</span>
            <span title={storageName(description.storage).long}>{storageName(description.storage).short}</span>
            <span>
              {formatCount(description.groups)} {description.groups === 1 ? 'group' : 'groups'}
            </span>
            <span title={`${formatCount(description.bytes)} bytes`}>{formatBytes(description.bytes)}</span>
          </>
        )}
        {choice.kind !== 'file' && paths.length > 1 ? (
          <select
            className={styles.path}
            aria-label={`Checkpoint of side ${side.toUpperCase()}`}
            value={choice.path}
            onChange={(event) => compare.getState().setSide(side, { ...choice, path: event.target.value })}
          >
            {(paths.includes(choice.path) ? paths : [choice.path, ...paths]).map((path) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
        ) : null}
      </span>
    </>
  );
}
