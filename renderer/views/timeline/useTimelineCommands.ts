import { type RefObject, useCallback, useEffect } from 'react';
import { useStores } from '../../state/storesContext';
import type { TimelineGridHandle } from './TimelineGrid';

/** Registers what the view can do, while it is shown. */
export function useTimelineCommands({
  search,
  grid,
}: {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly grid: RefObject<TimelineGridHandle | null>;
}): {
  readonly compareEnds: () => void;
} {
  const { commands, compare, timeline, workspace } = useStores();
  const compareEnds = useCallback(() => {
    const { range } = timeline.getState().options;
    const { path } = workspace.getState();
    if (range === null || path === null) return;
    compare
      .getState()
      .compare({ kind: 'revision', repository: null, revision: range.from, path }, { kind: 'revision', repository: null, revision: range.to, path });
  }, [compare, timeline, workspace]);

  useEffect(() => {
    const { register } = commands.getState();
    const section = 'Parameters';
    const hasRange = () => timeline.getState().options.range !== null;
    const registrations = [
      register({ id: 'timeline.filter', title: 'Filter parameter groups', section, shortcut: '/', run: () => search.current?.focus() }),
      register({ id: 'timeline.compareRange', title: 'Compare the ends of the chosen range', section, enabled: hasRange, run: compareEnds }),
      register({ id: 'timeline.zoomIn', title: 'Larger cells', section, shortcut: '+', run: () => grid.current?.zoom(1) }),
      register({ id: 'timeline.zoomOut', title: 'Smaller cells', section, shortcut: '-', run: () => grid.current?.zoom(-1) }),
      register({ id: 'timeline.zoomReset', title: 'Cells of the usual size', section, shortcut: '0', run: () => grid.current?.zoom(0) }),
    ];
    return () => {
      for (const registration of registrations) registration.dispose();
    };
  }, [commands, timeline, search, grid, compareEnds]);
  return { compareEnds };
}
