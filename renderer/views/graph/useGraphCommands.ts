import { type RefObject, useEffect } from 'react';
import type { CameraControl } from '../../components/graph/cameraControl';
import type { GraphCanvasHandle } from '../../components/graph/graphCanvasProps';
import { latest } from '../../state/loadable';
import { useStores } from '../../state/storesContext';

interface GraphCommands {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly camera: CameraControl;
  readonly canvas: RefObject<GraphCanvasHandle | null>;
}

/** Registers what the view can do, while it is shown. */
export function useGraphCommands({ search, camera, canvas }: GraphCommands): void {
  const { commands, graph } = useStores();
  useEffect(() => {
    const { register } = commands.getState();
    const section = 'Graph';
    const opened = () => latest(graph.getState().graph);
    const registrations = [
      register({ id: 'graph.search', title: 'Search the graph', section, shortcut: '/', run: () => search.current?.focus() }),
      register({ id: 'graph.canvas', title: 'Go to the drawing of the graph', section, run: () => canvas.current?.focus() }),
      register({ id: 'graph.fit', title: 'Fit the graph into the window', section, shortcut: '0', run: () => camera.fit() }),
      register({ id: 'graph.fitKey', title: 'Fit the graph into the window (by letter)', section, shortcut: 'F', run: () => camera.fit() }),
      register({ id: 'graph.zoomIn', title: 'Zoom into the graph', section, shortcut: '+', run: () => camera.zoomBy(1.25) }),
      register({ id: 'graph.zoomOut', title: 'Zoom out of the graph', section, shortcut: '-', run: () => camera.zoomBy(0.8) }),
      register({ id: 'graph.openAll', title: 'Open all groups of the graph', section, run: () => graph.getState().openAll() }),
      register({ id: 'graph.closeAll', title: 'Close all groups of the graph', section, run: () => graph.getState().closeAll() }),
      register({
        id: 'graph.undo',
        title: 'Undo the last edit of the graph',
        section,
        shortcut: 'Mod+Z',
        enabled: () => (opened()?.done.length ?? 0) > 0,
        run: () => void graph.getState().undo(),
      }),
      register({
        id: 'graph.redo',
        title: 'Do the undone edit of the graph again',
        section,
        shortcut: 'Mod+Shift+Z',
        enabled: () => (opened()?.undone.length ?? 0) > 0,
        run: () => void graph.getState().redo(),
      }),
    ];
    return () => {
      for (const registration of registrations) registration.dispose();
    };
  }, [commands, graph, search, camera, canvas]);
}
