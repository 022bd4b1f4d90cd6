import type { Shape } from '../../../shared/model/shape';
import type { SliceView } from '../../../shared/model/tensorStats';
import { chooseAxis } from '../../charts/sliceWindow';
import styles from './SliceMaps.module.css';

interface SliceAxesProps {
  readonly shape: Shape;
  readonly view: SliceView;
  readonly onView: (view: SliceView) => void;
}

/** Which two axes are rows and columns, and where along the others the slice lies. */
export function SliceAxes({ shape, view, onView }: SliceAxesProps) {
  const options = shape.map((extent, axis) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an axis is its place
    <option key={axis} value={axis}>
      {axis} ({extent})
    </option>
  ));
  return (
    <div className={styles.axes}>
      {(['rowAxis', 'columnAxis'] as const).map((which) => (
        <label key={which} className={styles.axis}>
          {which === 'rowAxis' ? 'Rows: axis' : 'Columns: axis'}
          <select value={view[which] ?? 0} onChange={(event) => onView(chooseAxis(shape, view, { which, axis: Number(event.target.value) }))}>
            {options}
          </select>
        </label>
      ))}
      {shape.map((extent, axis) =>
        axis === view.rowAxis || axis === view.columnAxis ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: an axis is its place
          <label key={axis} className={styles.axis}>
            Index of axis {axis}
            <input
              type="number"
              min={0}
              max={extent - 1}
              value={view.fixed[axis] ?? 0}
              onChange={(event) => {
                const place = Math.max(0, Math.min(extent - 1, Math.trunc(Number(event.target.value)) || 0));
                onView({ ...view, fixed: view.fixed.map((other, at) => (at === axis ? place : other)) });
              }}
            />
          </label>
        ),
      )}
    </div>
  );
}
