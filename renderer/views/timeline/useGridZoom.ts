import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { snapCell, stepZoom, zoomAround } from '../../charts/timelineZoom';
import { useStores } from '../../state/storesContext';
import { HEAD_HEIGHT } from './gridSize';

interface GridZoomOptions {
  /** Side of a cell as it was chosen. */
  readonly size: number;
  readonly ratio: number;
  readonly headWidth: number;
}

type Zoom = (size: number, pointer?: { readonly x: number; readonly y: number }) => void;

/** Changes the size of cells around the pointer, or the middle of the view; Ctrl with the wheel does so too. */
export function useGridZoom(scroller: RefObject<HTMLElement | null>, { size, ratio, headWidth }: GridZoomOptions): Zoom {
  const { timeline } = useStores();
  const pending = useRef<{ readonly left: number; readonly top: number } | null>(null);
  const zoom = useCallback<Zoom>(
    (next, pointer) => {
      const element = scroller.current;
      if (element === null || next === size) return;
      const at = pointer ?? { x: (element.clientWidth - headWidth) / 2, y: (element.clientHeight - HEAD_HEIGHT) / 2 };
      const steps = { from: snapCell(size, ratio), to: snapCell(next, ratio) };
      pending.current = { left: zoomAround(element.scrollLeft, at.x, steps), top: zoomAround(element.scrollTop, at.y, steps) };
      timeline.getState().setOptions({ cell: next });
    },
    [scroller, timeline, size, ratio, headWidth],
  );

  // The cells must have their new size before the view can be scrolled to its new place.
  useLayoutEffect(() => {
    void size;
    const [element, place] = [scroller.current, pending.current];
    pending.current = null;
    if (element !== null && place !== null) element.scrollTo(place);
  }, [scroller, size]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // React listens to the wheel passively; without this the whole window would zoom.
    const handle = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      zoom(stepZoom(size, event.deltaY < 0 ? 1 : -1), { x: event.clientX - box.left - headWidth, y: event.clientY - box.top - HEAD_HEIGHT });
    };
    element.addEventListener('wheel', handle, { passive: false });
    return () => element.removeEventListener('wheel', handle);
  }, [scroller, zoom, size, headWidth]);
  return zoom;
}
