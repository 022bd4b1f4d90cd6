import { type DType, dtypeBytes } from '../../shared/model/dtype';
import type { Shape } from '../../shared/model/shape';
import type { SliceView, TensorPreview } from '../../shared/model/tensorStats';
import { createCellGrid } from './cellGrid';
import { decodeToFloat64 } from './decode';
import { viewExtent } from './viewRef';

/** Elements decoded at once. */
const PIECE = 16_384;

export interface ViewPicker {
  /** Blocks in C order, whole elements. */
  add(block: Uint8Array): void;
  finish(): TensorPreview;
}

/** Picks the elements of a view out of a whole tensor that passes by, and averages them down. */
export function createViewPicker(
  tensor: { readonly dtype: DType; readonly shape: Shape },
  view: SliceView,
  most: { readonly rows: number; readonly columns: number },
): ViewPicker {
  const { dtype, shape } = tensor;
  const size = dtypeBytes(dtype);
  const grid = createCellGrid(viewExtent(shape, view), most);
  const run = shape.at(-1) ?? 1;
  const last = shape.length - 1;
  const values = new Float64Array(PIECE);
  let at = 0;

  /** Indices of the view along an axis: those shown, or the one it is held at. */
  function wanted(axis: number): readonly [number, number] {
    if (axis === view.rowAxis) return view.rows;
    if (axis === view.columnAxis) return view.columns;
    const index = view.fixed[axis] ?? 0;
    return [index, index + 1];
  }

  /** Row and column that the leading indices of a run give; `null` when the run is not in the view. */
  function place(outer: number): { readonly row: number; readonly column: number } | null {
    let rest = outer;
    let row = 0;
    let column = 0;
    for (let axis = last - 1; axis >= 0; axis--) {
      const extent = shape[axis] ?? 1;
      const index = rest % extent;
      rest = Math.floor(rest / extent);
      const [from, to] = wanted(axis);
      if (index < from || index >= to) return null;
      if (axis === view.rowAxis) row = index - from;
      if (axis === view.columnAxis) column = index - from;
    }
    return { row, column };
  }

  /** Elements `from` to `to` of a run, which `bytes` holds. */
  function addRun(bytes: Uint8Array, outer: number, from: number): void {
    const start = place(outer);
    if (start === null) return;
    const [low, high] = last < 0 ? [0, 1] : wanted(last);
    const end = Math.min(high, from + bytes.byteLength / size);
    for (let index = Math.max(low, from); index < end; index += PIECE) {
      const count = Math.min(PIECE, end - index);
      decodeToFloat64(dtype, bytes.subarray((index - from) * size, (index - from + count) * size), values);
      for (let i = 0; i < count; i++) {
        const along = index + i - low;
        grid.add(last >= 0 && last === view.rowAxis ? along : start.row, last >= 0 && last === view.columnAxis ? along : start.column, values[i] as number);
      }
    }
  }

  return {
    add(block) {
      const elements = block.byteLength / size;
      for (let done = 0; done < elements; ) {
        const from = at % run;
        const count = Math.min(run - from, elements - done);
        addRun(block.subarray(done * size, (done + count) * size), Math.floor(at / run), from);
        done += count;
        at += count;
      }
    },
    finish: grid.finish,
  };
}
