import type { KeyboardEvent, PointerEvent } from 'react';
import { classNames } from './classNames';
import styles from './ReadingSurface.module.css';

interface ReadingSurfaceProps {
  readonly label: string;
  /** Place that is being read, 0 to `last`; `null` for none. */
  readonly place: number | null;
  readonly last: number;
  /** What is read there, in words. */
  readonly text: string;
  /** Pixels from the left and top edge; `null` when the pointer or the focus leaves. */
  readonly onPoint: (point: { readonly x: number; readonly y: number } | null) => void;
  /** Place that a key leads to; `null` when the key is none of the chart's. */
  readonly onKey: (key: string) => number | null;
  readonly onPlace: (place: number) => void;
  /** A click, or Enter, on what is being read. */
  readonly onChoose?: () => void;
}

/** Lies over a chart so that pointer and arrow keys read its values: for assistive technology a slider over the values. */
export function ReadingSurface({ label, place, last, text, onPoint, onKey, onPlace, onChoose }: ReadingSurfaceProps) {
  const handlePointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint({ x: event.clientX - box.left, y: event.clientY - box.top });
  };
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && onChoose !== undefined) {
      event.preventDefault();
      onChoose();
      return;
    }
    const target = onKey(event.key);
    if (target === null) return;
    event.preventDefault();
    onPlace(target);
  };
  return (
    <div
      role="slider"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={place ?? 0}
      aria-valuetext={text}
      tabIndex={0}
      className={classNames(styles.surface, onChoose !== undefined && styles.clickable)}
      onClick={onChoose}
      onPointerMove={handlePointer}
      onPointerLeave={() => onPoint(null)}
      onBlur={() => onPoint(null)}
      onKeyDown={handleKey}
    />
  );
}
