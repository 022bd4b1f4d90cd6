import { ChevronsDownUp, ChevronsUpDown, Maximize, Minus, PanelLeftDashed, Plus, Upload } from 'lucide-react';
import { type ReactNode, type Ref, useRef } from 'react';
import type { GraphView } from '../../../shared/model/graph';
import { Button } from '../../components/Button';
import type { CameraControl } from '../../components/graph/cameraControl';
import { IconButton } from '../../components/IconButton';
import { SearchField } from '../../components/SearchField';
import { Select } from '../../components/Select';
import { OVERLAYS } from '../../state/graphOverlayStore';
import type { GraphSearchMode } from '../../state/graphSearchRunner';
import type { GraphSource } from '../../state/graphStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './GraphBar.module.css';
import { useBaseVersions } from './useBaseVersions';
import { OVERLAY_WORDS } from './useGraphLooks';

/** Name of the setting that hides the outline. */
export const OUTLINE_HIDDEN = 'graph.outlineHidden';

const MODES: readonly { readonly value: GraphSearchMode; readonly label: string; readonly example: string }[] = [
  { value: 'text', label: 'Text', example: 'Search: name, operator, attribute' },
  { value: 'regex', label: 'Expression', example: 'Search: ^/encoder/.*Conv$' },
  { value: 'path', label: 'Path', example: 'Search: MatMul -> * -> Softmax' },
];
const SOURCES: readonly { readonly value: GraphSource; readonly label: string }[] = [
  { value: 'version', label: 'Selected commit' },
  { value: 'worktree', label: 'Working tree' },
];
const OVERLAY_CHOICES = OVERLAYS.map((value) => ({ value, label: OVERLAY_WORDS[value].label }));

interface GraphBarProps {
  readonly view: GraphView;
  readonly camera: CameraControl;
  readonly searchRef: Ref<HTMLInputElement>;
  readonly onLeaveSearch: () => void;
  readonly exportMenu: ReactNode;
}

/** What is searched for, what the colours tell, which file is looked at, and how much of it. */
export function GraphBar({ view, camera, searchRef, onLeaveSearch, exportMenu }: GraphBarProps) {
  const { graph, settings, workspace } = useStores();
  const search = useStore(graph, (state) => state.search);
  const source = useStore(graph, (state) => state.source);
  const root = useStore(graph, (state) => state.root);
  const isOpen = useStore(graph, (state) => state.open.size > 0);
  const isBare = useStore(workspace, (state) => latest(state.repository)?.bare ?? true);
  const isOutlineHidden = useStore(settings, (state) => state.values[OUTLINE_HIDDEN] === true);
  const found = latest(search.found);
  const count = found === undefined ? '' : `${found.nodes.length.toLocaleString('en')}${found.truncated ? '+' : ''} found`;
  const status =
    search.found.kind === 'failed' ? 'not valid' : search.found.kind === 'loading' && found === undefined ? 'searching' : search.text === '' ? '' : count;
  const roots = view.groups.flatMap((group, index) =>
    group.parent < 0 ? [{ value: String(index), label: index === 0 ? 'Main graph' : group.label || group.path }] : [],
  );
  return (
    <div className={styles.bar}>
      <IconButton
        label={isOutlineHidden ? 'Show the outline' : 'Hide the outline'}
        icon={<PanelLeftDashed size={14} aria-hidden="true" />}
        onClick={() => settings.getState().setValue(OUTLINE_HIDDEN, !isOutlineHidden)}
      />
      <SearchField
        ref={searchRef}
        label="Search the graph"
        placeholder={MODES.find(({ value }) => value === search.mode)?.example ?? 'Search'}
        shortcut="/"
        value={search.text}
        status={status}
        className={styles.search ?? ''}
        onChange={(text) => graph.getState().setSearch(text, search.mode)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
          event.preventDefault();
          onLeaveSearch();
        }}
      />
      <Select
        label="By"
        inline
        className={styles.select}
        value={search.mode}
        options={MODES}
        onChange={(mode) => graph.getState().setSearch(search.text, mode)}
      />
      <OverlayChoice />
      {isBare ? null : (
        <Select label="File" inline className={styles.select} value={source} options={SOURCES} onChange={(next) => graph.getState().setSource(next)} />
      )}
      {roots.length < 2 ? null : (
        <Select
          label="Graph"
          inline
          className={styles.select}
          value={String(root)}
          options={roots}
          onChange={(next) => graph.getState().setRoot(Number(next))}
        />
      )}
      <span className={styles.buttons}>
        <IconButton
          label={isOpen ? 'Close all groups' : 'Open all groups'}
          icon={isOpen ? <ChevronsDownUp size={14} aria-hidden="true" /> : <ChevronsUpDown size={14} aria-hidden="true" />}
          onClick={() => (isOpen ? graph.getState().closeAll() : graph.getState().openAll())}
        />
        <IconButton label="Zoom out" shortcut="-" icon={<Minus size={14} aria-hidden="true" />} onClick={() => camera.zoomBy(0.8)} />
        <IconButton label="Zoom in" shortcut="+" icon={<Plus size={14} aria-hidden="true" />} onClick={() => camera.zoomBy(1.25)} />
        <IconButton label="Fit into the window" shortcut="F" icon={<Maximize size={14} aria-hidden="true" />} onClick={() => camera.fit()} />
        {exportMenu}
      </span>
    </div>
  );
}

/** What the colours of the boxes tell. */
function OverlayChoice() {
  const { graphOverlay } = useStores();
  const overlay = useStore(graphOverlay, (state) => state.overlay);
  const base = useStore(graphOverlay, (state) => state.base);
  const versions = useBaseVersions();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Select
        label="Colour"
        inline
        className={styles.select}
        value={overlay}
        options={OVERLAY_CHOICES}
        onChange={(next) => {
          graphOverlay.getState().choose(next);
          const [first] = versions;
          if (next === 'delta' && base === null && first !== undefined) graphOverlay.getState().setBase(first.commit);
        }}
      />
      {overlay === 'delta' ? (
        <Select
          label="Against"
          inline
          className={styles.select}
          value={base ?? ''}
          options={versions.map(({ commit, label }) => ({ value: commit as string, label }))}
          onChange={(next) => {
            const version = versions.find(({ commit }) => commit === next);
            if (version !== undefined) graphOverlay.getState().setBase(version.commit);
          }}
        />
      ) : null}
      {overlay === 'table' ? (
        <>
          <Button icon={<Upload size={14} />} onClick={() => input.current?.click()}>
            Choose a table…
          </Button>
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            className={styles.file}
            aria-label="Table of names and numbers"
            tabIndex={-1}
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined) void graphOverlay.getState().loadTable(file);
              event.target.value = '';
            }}
          />
        </>
      ) : null}
    </>
  );
}
