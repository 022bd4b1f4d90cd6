import { type RefObject, useEffect } from 'react';
import type { CameraControl } from '../../../components/graph/cameraControl';
import { useStores } from '../../../state/storesContext';
import { DIFF_OVERLAID } from './diffSettings';

interface DiffCommands {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly camera: CameraControl;
}

/** Registers what the comparison of two graphs can do, while it is shown. */
export function useDiffCommands({ search, camera }: DiffCommands): void {
  const { commands, graphDiff, compare, settings } = useStores();
  useEffect(() => {
    const { register } = commands.getState();
    const section = 'Graph';
    const registrations = [
      register({ id: 'graphDiff.next', title: 'Go to the next change', section, shortcut: 'F8', inTextFields: true, run: () => graphDiff.getState().step(1) }),
      register({
        id: 'graphDiff.previous',
        title: 'Go to the change before',
        section,
        shortcut: 'Shift+F8',
        inTextFields: true,
        run: () => graphDiff.getState().step(-1),
      }),
      register({ id: 'graphDiff.search', title: 'Search the changes', section, shortcut: '/', run: () => search.current?.focus() }),
      register({ id: 'graphDiff.fit', title: 'Fit both graphs into the window', section, shortcut: 'F', run: () => camera.fit() }),
      register({ id: 'graphDiff.zoomIn', title: 'Zoom into both graphs', section, shortcut: '+', run: () => camera.zoomBy(1.25) }),
      register({ id: 'graphDiff.zoomOut', title: 'Zoom out of both graphs', section, shortcut: '-', run: () => camera.zoomBy(0.8) }),
      register({
        id: 'graphDiff.overlay',
        title: 'Show both graphs side by side, or one over the other',
        section,
        run: () => settings.getState().setValue(DIFF_OVERLAID, settings.getState().values[DIFF_OVERLAID] !== true),
      }),
      register({ id: 'graphDiff.swap', title: 'Swap the sides of the graphs', section, run: () => compare.getState().swap() }),
      register({ id: 'graphDiff.leave', title: 'Go back to one graph', section, run: () => graphDiff.getState().hide() }),
    ];
    return () => {
      for (const registration of registrations) registration.dispose();
    };
  }, [commands, graphDiff, compare, settings, search, camera]);
}
