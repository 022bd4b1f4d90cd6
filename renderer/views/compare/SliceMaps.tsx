import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { sameShape } from '../../../shared/model/shape';
import type { SliceView, TensorPreview } from '../../../shared/model/tensorStats';
import { formatExactNumber, formatNumber } from '../../charts/formatNumber';
import { chooseHeatScale, type HeatScale } from '../../charts/heatCells';
import { cellOfIndex, differencePreview, indexOfCell, isWholeView, panView, wholeView, zoomView } from '../../charts/sliceWindow';
import { Button } from '../../components/Button';
import chartStyles from '../../components/chart.module.css';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ExportMenu } from '../../components/ExportMenu';
import { IconButton } from '../../components/IconButton';
import { Skeleton } from '../../components/Skeleton';
import { useElementSize } from '../../components/useElementSize';
import type { Slices } from '../../state/compareDetailStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import type { JudgedRow } from './comparedRows';
import { SliceAxes } from './SliceAxes';
import { type Cell, SliceMap } from './SliceMap';
import styles from './SliceMaps.module.css';

/** One step of the wheel or a key. */
const ZOOM = 1.4;

/** Pictures of A, B and b - a, of one window of the tensor, zooming and moving together. */
export function SliceMaps({ row }: { readonly row: JudgedRow }) {
  const { compareDetail } = useStores();
  const view = useStore(compareDetail, (state) => state.view);
  return view === null ? null : <Maps row={row} view={view} />;
}

function Maps({ row, view }: { readonly row: JudgedRow; readonly view: SliceView }) {
  const { compareDetail } = useStores();
  const slices = useStore(compareDetail, (state) => state.slices);
  const marked = useStore(compareDetail, (state) => state.marked);
  const box = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(box);
  const [cell, setCell] = useState<Cell | null>(null);
  const shown = latest(slices);
  const maps = useMemo(() => (shown === undefined ? [] : mapsOf(shown, row)), [shown, row]);
  const shape = (row.group.b ?? row.group.a)?.shape ?? [];
  useEffect(() => {
    if (marked !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  const { setView } = compareDetail.getState();
  const [first] = maps;
  const isWhole = isWholeView(shape, view);
  const markedCell = marked === null || shown === undefined || first === undefined ? null : cellOfIndex(shown.view, first.preview, marked);
  const read = cell ?? markedCell;
  const caption =
    read === null || shown === undefined || first === undefined
      ? 'Wheel or + and − zoom, dragging or Shift with arrow keys moves, arrow keys read'
      : `${indexOfCell(shown.view, first.preview, read)}  ${maps.map((map) => `${map.letter} ${valueText(map.preview, read)}`).join('  ')}`;

  const zoom = (factor: number, at?: { readonly row: number; readonly column: number }) =>
    setView(zoomView(shape, view, at === undefined ? { factor } : { factor, at }));
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || first === undefined) return;
    const [down, right] = ARROWS.get(event.key) ?? [0, 0];
    if (event.key === '+' || event.key === '=') zoom(1 / ZOOM);
    else if (event.key === '-') zoom(ZOOM);
    else if (event.key === '0') setView(wholeView(shape, view));
    else if (down === 0 && right === 0) return;
    else if (event.shiftKey) {
      const by = (span: readonly [number, number]) => Math.max(1, Math.round((span[1] - span[0]) / 4));
      setView(panView(shape, view, { rows: down * by(view.rows), columns: right * by(view.columns) }));
    } else {
      const from = cell ?? markedCell ?? { row: -down, column: -right };
      const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
      setCell({ row: clamp(from.row + down, first.preview.rows), column: clamp(from.column + right, first.preview.columns) });
    }
    event.preventDefault();
  };
  const columns = width >= 360 ? Math.max(1, maps.length) : 1;
  const gap = 12;
  const mapWidth = Math.floor((width - gap * (columns - 1)) / columns);

  return (
    <div className={styles.maps}>
      <div className={styles.head}>
        <h3>Heat maps</h3>
        <span className={styles.window}>{isWhole ? 'all' : `rows ${view.rows[0]}–${view.rows[1] - 1}, columns ${view.columns[0]}–${view.columns[1] - 1}`}</span>
        <span className={chartStyles.space} />
        <IconButton label="Zoom in" shortcut="+" icon={<ZoomIn size={14} />} onClick={() => zoom(1 / ZOOM)} />
        <IconButton label="Zoom out" shortcut="-" icon={<ZoomOut size={14} />} disabled={isWhole} onClick={() => zoom(ZOOM)} />
        <IconButton label="Show all" shortcut="0" icon={<Maximize size={14} />} disabled={isWhole} onClick={() => setView(wholeView(shape, view))} />
      </div>
      {shape.length > 2 ? <SliceAxes shape={shape} view={view} onView={setView} /> : null}
      {slices.kind === 'failed' ? (
        <ErrorNotice
          title="The pictures could not be had"
          error={slices.error}
          action={<Button onClick={() => compareDetail.getState().retry()}>Try again</Button>}
        />
      ) : null}
      <div ref={box} className={styles.row} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {maps.length === 0 && slices.kind === 'loading' ? <Skeleton width="100%" height="160px" /> : null}
        {shown === undefined || width === 0
          ? null
          : maps.map((map, index) => (
              <SliceMap
                key={map.letter}
                letter={map.letter}
                label={`${map.words} of ${row.name}`}
                preview={map.preview}
                scale={map.scale}
                width={mapWidth}
                shown={shown.view}
                wanted={view}
                cell={read}
                text={caption}
                isReader={index === 0}
                onCell={setCell}
                onZoom={(out, at) => {
                  if (out && isWhole) return false;
                  zoom(out ? ZOOM : 1 / ZOOM, at);
                  return true;
                }}
                onPan={(by) => setView(panView(shape, view, by))}
                onKey={handleKey}
                menu={(canvas) => <ExportMenu label={`the heat map of ${map.letter} of ${row.name}`} chart={canvas} table={() => tableOf(map.preview)} />}
              />
            ))}
      </div>
      <p className={styles.caption}>{caption}</p>
    </div>
  );
}

const ARROWS: ReadonlyMap<string, readonly [down: number, right: number]> = new Map([
  ['ArrowUp', [-1, 0]],
  ['ArrowDown', [1, 0]],
  ['ArrowLeft', [0, -1]],
  ['ArrowRight', [0, 1]],
]);

interface ShownMap {
  readonly letter: 'A' | 'B' | 'Δ';
  readonly words: string;
  readonly preview: TensorPreview;
  readonly scale: HeatScale;
}

/** A and B in the same colours, so that equal values look alike; the difference around zero in its own. */
function mapsOf({ a, b }: Slices, { group }: JudgedRow): ShownMap[] {
  const both = Float32Array.from([...(a?.values ?? []), ...(b?.values ?? [])]);
  const scale = chooseHeatScale(both);
  const maps: ShownMap[] = [];
  if (a !== null) maps.push({ letter: 'A', words: 'Heat map of A', preview: a, scale });
  if (b !== null) maps.push({ letter: 'B', words: 'Heat map of B', preview: b, scale });
  const hasCounterparts = group.a !== null && group.b !== null && sameShape(group.a.shape, group.b.shape);
  const difference = a === null || b === null || !hasCounterparts ? null : differencePreview(a, b);
  if (difference !== null) {
    const { values } = difference;
    // Both signs of every value make the scale go around zero.
    const around = chooseHeatScale(Float32Array.from([...values, ...values.map((value) => -value)]));
    maps.push({
      letter: 'Δ',
      words: 'Heat map of the difference',
      preview: difference,
      scale: around.kind === 'diverging' ? around : { ...around, kind: 'diverging', low: -around.high },
    });
  }
  return maps;
}

function valueText({ values, columns }: TensorPreview, { row, column }: Cell): string {
  const value = values[row * columns + column] ?? Number.NaN;
  return Number.isFinite(value) ? formatExactNumber(Number(value.toPrecision(7))) : formatNumber(value);
}

function tableOf({ rows, columns, values }: TensorPreview) {
  return {
    columns: ['row', ...Array.from({ length: columns }, (_, column) => `column ${formatCount(column)}`)],
    rows: Array.from({ length: rows }, (_, row) => [row, ...values.subarray(row * columns, (row + 1) * columns)]),
  };
}
