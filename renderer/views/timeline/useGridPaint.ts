import { type RefObject, useLayoutEffect, useMemo } from 'react';
import { HEAT_PALETTES } from '../../charts/heatCells';
import { useIsDark } from '../../components/useCanvasLook';
import { drawCells } from './drawCells';
import type { Shading } from './shadeCodes';
import { readColours } from './timelineColours';
import type { ShownTimeline } from './useTimeline';
import type { CellWindow } from './wantedCells';

interface GridPaint {
  readonly shown: ShownTimeline;
  readonly shading: Shading | null;
  /** Grows when numbers have come. */
  readonly turn: number;
  readonly window: CellWindow;
  /** Pixels that are scrolled away. */
  readonly scroll: { readonly left: number; readonly top: number };
  readonly width: number;
  readonly height: number;
  /** Side of a cell in CSS pixels. */
  readonly cell: number;
  readonly ratio: number;
}

/** Keeps the canvas painted: in the same frame as the heads move. */
export function useGridPaint(canvas: RefObject<HTMLCanvasElement | null>, paint: GridPaint): void {
  const { shown, shading, turn, window, scroll, width, height, cell, ratio } = paint;
  const isDark = useIsDark();
  const scale = shading?.scale.kind === 'diverging' ? 'diverging' : 'sequential';
  const colours = useMemo(() => readColours(document.documentElement, isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light, scale), [isDark, scale]);
  const [firstRow, endRow] = window.rows;
  const [firstColumn, endColumn] = window.columns;
  useLayoutEffect(() => {
    void turn;
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null) return;
    const [pixelWidth, pixelHeight] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (element.width !== pixelWidth || element.height !== pixelHeight) {
      element.width = pixelWidth;
      element.height = pixelHeight;
    }
    const device = Math.round(cell * ratio);
    drawCells(context, {
      shown,
      shading,
      colours,
      places: shown.places.subarray(firstRow, endRow),
      columns: shown.columns.subarray(firstColumn, endColumn),
      cell: device,
      left: firstColumn * device - Math.round(scroll.left * ratio),
      top: firstRow * device - Math.round(scroll.top * ratio),
      ratio,
    });
  }, [canvas, shown, shading, turn, colours, cell, ratio, width, height, firstRow, endRow, firstColumn, endColumn, scroll]);
}
