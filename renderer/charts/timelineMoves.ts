/** A cell by its places among the rows and columns that are shown. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface CellMove {
  readonly key: string;
  /** Ctrl or Cmd. */
  readonly far: boolean;
}

export interface CellBounds {
  readonly rows: number;
  readonly columns: number;
  /** Rows that PageUp and PageDown pass. */
  readonly page: number;
  /** Whether the commit did something to the row: where Ctrl+arrow stops. */
  readonly isChanged: (row: number, column: number) => boolean;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Cell that a key leads to; `null` when the key is not for moving, or there is no cell. */
export function moveCell(from: CellPlace, { key, far }: CellMove, bounds: CellBounds): CellPlace | null {
  const { rows, columns, page } = bounds;
  if (rows === 0 || columns === 0) return null;
  const at = (row: number, column: number): CellPlace => ({
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  });
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  if (step !== undefined) return far ? nextChange(from, step, bounds) : at(from.row + step[0], from.column + step[1]);
  switch (key) {
    case 'Home':
      return at(far ? 0 : from.row, 0);
    case 'End':
      return at(far ? rows - 1 : from.row, columns - 1);
    case 'PageDown':
      return at(from.row + page, from.column);
    case 'PageUp':
      return at(from.row - page, from.column);
    default:
      return null;
  }
}

/** Stays where it is when nothing changed any further. */
function nextChange(from: CellPlace, [down, right]: readonly [number, number], { rows, columns, isChanged }: CellBounds): CellPlace {
  let row = from.row + down;
  let column = from.column + right;
  while (row >= 0 && row < rows && column >= 0 && column < columns) {
    if (isChanged(row, column)) return { row, column };
    row += down;
    column += right;
  }
  return from;
}
