import { useEffect, useRef, useState } from 'react';
import type { CommitHash } from '../../../shared/model/commit';
import { ReadingSurface } from '../../components/ReadingSurface';
import { useIsDark } from '../../components/useCanvasLook';
import type { BlameWindow } from '../../state/storyStore';
import styles from './BlamePanel.module.css';

/** Longest side on the screen. */
const SIDE = 256;

interface ElementMapProps {
  /** Place in `commits` of each element's last change, row by row. */
  readonly elements: Int32Array;
  readonly window: BlameWindow;
  readonly commits: readonly CommitHash[];
  readonly titleOf: (commit: CommitHash) => string;
  /** Whether the tensor is larger than what is shown. */
  readonly isCorner: boolean;
}

/** Single elements in the colour of the commit that last changed them. The pointer, or the arrow keys, read one. */
export function ElementMap({ elements, window: { rows, columns }, commits, titleOf, isCorner }: ElementMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  const [at, setAt] = useState<number | null>(null);
  const scale = SIDE / Math.max(rows, columns);
  const size = { width: Math.max(8, columns * scale), height: Math.max(8, rows * scale) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the style sheet, which the theme changes
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d', { willReadFrequently: true });
    if (element == null || context == null) return;
    element.width = columns;
    element.height = rows;
    const style = getComputedStyle(element);
    // A colour may be written in any of CSS's ways: a painted pixel says what it is.
    const colours = Uint32Array.from(commits, (_, place) => {
      context.fillStyle = style.getPropertyValue(`--lane-${(place % 8) + 1}`).trim();
      context.fillRect(0, 0, 1, 1);
      return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0] ?? 0;
    });
    const pixels = Uint32Array.from(elements, (place) => colours[place] ?? 0);
    context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), columns, rows), 0, 0);
  }, [elements, rows, columns, commits, isDark]);
  const place = at === null ? undefined : elements[at];
  const commit = place === undefined ? undefined : commits[place];
  const text =
    at === null || commit === undefined || place === undefined
      ? `Elements${isCorner ? ` of the first ${rows} × ${columns}` : ''}`
      : `[${Math.floor(at / columns)}, ${at % columns}]: ${place + 1}, ${commit.slice(0, 8)} ${titleOf(commit)}`;
  return (
    <figure className={styles.map}>
      <div className={styles.cells} style={size}>
        <canvas ref={canvas} role="img" aria-label="Elements, each in the colour of the commit that last changed it" className={styles.canvas} />
        <ReadingSurface
          label="Elements"
          place={at}
          last={Math.max(0, elements.length - 1)}
          text={text}
          onPoint={(point) => setAt(point === null ? null : cellAt(point, { size, rows, columns }))}
          onKey={(key) => stepCell(key, at ?? 0, { rows, columns })}
          onPlace={setAt}
        />
      </div>
      <figcaption className={styles.caption}>{text}</figcaption>
    </figure>
  );
}

function cellAt(
  { x, y }: { readonly x: number; readonly y: number },
  { size, rows, columns }: BlameWindow & { size: { width: number; height: number } },
): number {
  const row = Math.max(0, Math.min(rows - 1, Math.floor((y / size.height) * rows)));
  return row * columns + Math.max(0, Math.min(columns - 1, Math.floor((x / size.width) * columns)));
}

function stepCell(key: string, at: number, { rows, columns }: BlameWindow): number | null {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
  if (step === undefined) return null;
  const next = at + step;
  return next < 0 || next >= rows * columns ? at : next;
}
