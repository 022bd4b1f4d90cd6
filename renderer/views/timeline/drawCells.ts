import { readCodes } from '../../charts/timelineCodes';
import { paintTimeline } from './paintTimeline';
import type { Shading } from './shadeCodes';
import type { TimelineColours } from './timelineColours';
import type { ShownTimeline } from './useTimeline';

interface CellDrawing {
  readonly shown: ShownTimeline;
  readonly shading: Shading | null;
  readonly colours: TimelineColours;
  /** Places in the tree and columns of the index that are drawn. */
  readonly places: Int32Array;
  readonly columns: Int32Array;
  /** Side of a cell, and where the first one begins, in device pixels. */
  readonly cell: number;
  readonly left: number;
  readonly top: number;
  readonly ratio: number;
}

/** Paints a part of the grid. */
export function drawCells(context: CanvasRenderingContext2D, drawing: CellDrawing): void {
  const { shown, shading, places, columns, ...rest } = drawing;
  const { states, rows, changesOf } = shown;
  const codes = readCodes(
    { places, columns },
    { states, rows, changesOf, shadeOf: shading?.shadeOf ?? null, moduleShadeOf: shading?.moduleShadeOf ?? (() => 0) },
  );
  const shareOf = (row: number, column: number) => {
    const place = places[row] ?? 0;
    const module = rows.tree[place];
    const total = module?.kind === 'module' ? module.totals.groups : 0;
    return total === 0 ? 0 : (changesOf(place).counts[columns[column] ?? 0] ?? 0) / total;
  };
  paintTimeline(context, { ...rest, codes, rows: places.length, columns: columns.length, shareOf });
}
