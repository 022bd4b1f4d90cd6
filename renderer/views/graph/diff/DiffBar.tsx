import { ArrowDown, ArrowLeft, ArrowLeftRight, ArrowUp, ChevronsDownUp, ChevronsUpDown, Maximize, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GraphView } from '../../../../shared/model/graph';
import { Button } from '../../../components/Button';
import type { CameraControl } from '../../../components/graph/cameraControl';
import { IconButton } from '../../../components/IconButton';
import { MiddleEllipsis } from '../../../components/MiddleEllipsis';
import { Select } from '../../../components/Select';
import type { SideName } from '../../../state/compareStore';
import { describeChoice } from '../../../state/describeChoice';
import { useStore, useStores } from '../../../state/storesContext';
import styles from './DiffBar.module.css';
import { DIFF_OVERLAID } from './diffSettings';

/** Which two models are compared: chosen here, and swapped. */
export function DiffSides() {
  const { compare, graphDiff } = useStores();
  return (
    <div className={styles.bar}>
      <Button icon={<ArrowLeft size={14} />} onClick={() => graphDiff.getState().hide()}>
        One graph
      </Button>
      <SideButton side="a" />
      <IconButton label="Swap the sides" icon={<ArrowLeftRight size={14} aria-hidden="true" />} onClick={() => compare.getState().swap()} />
      <SideButton side="b" />
    </div>
  );
}

function SideButton({ side }: { readonly side: SideName }) {
  const { compare } = useStores();
  const choice = useStore(compare, (state) => state[side]);
  const letter = side.toUpperCase();
  const text = choice === null ? 'nothing chosen' : describeChoice(choice);
  return (
    <button type="button" className={styles.side} aria-label={`Choose side ${letter}, now ${text}`} title={text} onClick={() => compare.getState().pick(side)}>
      <span className={styles.letter}>{letter}</span>
      <MiddleEllipsis text={text} className={styles.name ?? ''} />
    </button>
  );
}

interface DiffToolsProps {
  readonly view: GraphView;
  readonly camera: CameraControl;
  readonly sentence: string;
  readonly exportMenu: ReactNode;
}

const LAYOUTS = [
  { value: 'beside', label: 'Side by side' },
  { value: 'over', label: 'Overlaid' },
] as const;

/** What differs in a sentence, and how it is looked at. */
export function DiffTools({ view, camera, sentence, exportMenu }: DiffToolsProps) {
  const { graphDiff, settings } = useStores();
  const isOverlaid = useStore(settings, (state) => state.values[DIFF_OVERLAID] === true);
  const isOpen = useStore(graphDiff, (state) => state.open.size > 0);
  const root = useStore(graphDiff, (state) => state.root);
  const roots = view.groups.flatMap((group, index) =>
    group.parent < 0 ? [{ value: String(index), label: index === 0 ? 'Main graph' : group.label || group.path }] : [],
  );
  return (
    <div className={styles.bar}>
      <p className={styles.sentence} role="status">
        <bdi>{sentence}</bdi>
      </p>
      <Select
        label="View"
        inline
        className={styles.select}
        value={isOverlaid ? 'over' : 'beside'}
        options={LAYOUTS}
        onChange={(next) => settings.getState().setValue(DIFF_OVERLAID, next === 'over')}
      />
      {roots.length < 2 ? null : (
        <Select
          label="Graph"
          inline
          className={styles.select}
          value={String(root)}
          options={roots}
          onChange={(next) => graphDiff.getState().setRoot(Number(next))}
        />
      )}
      <span className={styles.buttons}>
        <IconButton label="Previous change" shortcut="Shift+F8" icon={<ArrowUp size={14} aria-hidden="true" />} onClick={() => graphDiff.getState().step(-1)} />
        <IconButton label="Next change" shortcut="F8" icon={<ArrowDown size={14} aria-hidden="true" />} onClick={() => graphDiff.getState().step(1)} />
        <IconButton
          label={isOpen ? 'Close all groups' : 'Open all groups'}
          icon={isOpen ? <ChevronsDownUp size={14} aria-hidden="true" /> : <ChevronsUpDown size={14} aria-hidden="true" />}
          onClick={() => (isOpen ? graphDiff.getState().closeAll() : graphDiff.getState().openAll())}
        />
        <IconButton label="Zoom out" shortcut="-" icon={<Minus size={14} aria-hidden="true" />} onClick={() => camera.zoomBy(0.8)} />
        <IconButton label="Zoom in" shortcut="+" icon={<Plus size={14} aria-hidden="true" />} onClick={() => camera.zoomBy(1.25)} />
        <IconButton label="Fit into the window" shortcut="F" icon={<Maximize size={14} aria-hidden="true" />} onClick={() => camera.fit()} />
        {exportMenu}
      </span>
    </div>
  );
}
