import { useRef } from 'react';
import { ExportMenu } from '../../components/ExportMenu';
import { useIsDark } from '../../components/useCanvasLook';
import { useStore, useStores } from '../../state/storesContext';
import styles from './ExportTimeline.module.css';
import { pictureTimeline } from './pictureTimeline';
import type { Shading } from './shadeCodes';
import { timelineTable } from './timelineTable';
import type { ShownTimeline } from './useTimeline';

interface ExportTimelineProps {
  readonly shown: ShownTimeline;
  readonly shading: Shading | null;
}

/** Saves the grid: all rows and columns that are shown, whether or not they are on the screen. */
export function ExportTimeline({ shown, shading }: ExportTimelineProps) {
  const { workspace } = useStores();
  const path = useStore(workspace, (state) => state.path);
  const isDark = useIsDark();
  const canvas = useRef<HTMLCanvasElement>(null);
  return (
    <>
      <ExportMenu
        label={`versions of ${path ?? 'the checkpoint'}`}
        chart={() => {
          if (canvas.current !== null) pictureTimeline(canvas.current, { shown, shading, isDark });
          return canvas.current;
        }}
        table={() => timelineTable(shown)}
      />
      <canvas ref={canvas} className={styles.picture} />
    </>
  );
}
