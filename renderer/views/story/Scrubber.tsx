import { Pause, Play } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Shape } from '../../../shared/model/shape';
import { chooseHeatScale, HEAT_PALETTES, type HeatScale } from '../../charts/heatCells';
import { drawHeat } from '../../components/drawHeat';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ExportMenu } from '../../components/ExportMenu';
import { IconButton } from '../../components/IconButton';
import { useIsDark, usePixelRatio } from '../../components/useCanvasLook';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './Scrubber.module.css';
import type { StoryVersion } from './storyFacts';

/** Time that each version stays while it plays, ms. */
const STEP_MS = 400;
const HIGHEST = 260;

interface ScrubberProps {
  readonly group: string;
  readonly shape: Shape;
  /** Only those that have a value. */
  readonly versions: readonly StoryVersion[];
  readonly width: number;
  readonly chosen: number | null;
  readonly onChoose: (version: StoryVersion) => void;
}

/** The group as a picture, moved through its versions by hand or playing. Colours keep their meaning from version to version. */
export function Scrubber({ group, shape, versions, width, chosen, onChoose }: ScrubberProps) {
  const { story } = useStores();
  const picture = useStore(story, (state) => state.picture);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  const ratio = usePixelRatio();
  const id = useId();
  const [isPlaying, setPlaying] = useState(false);
  const last = versions.length - 1;
  const at = chosen === null ? last : Math.min(last, chosen);
  const version = versions[at];

  // The story takes the group in after this component is there.
  const isTold = useStore(story, (state) => state.target?.group === group);
  useEffect(() => {
    if (version !== undefined && isTold) story.getState().loadPicture(version.commit, shape);
  }, [story, version, shape, isTold]);
  // The next version only comes once this one is there.
  const isThere = picture.kind === 'ready' && picture.value.commit === version?.commit;
  const next = versions[at + 1];
  useEffect(() => {
    if (!isPlaying) return;
    if (next === undefined || picture.kind === 'failed') {
      setPlaying(false);
      return;
    }
    if (!isThere) return;
    const timer = setTimeout(() => onChoose(next), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isThere, next, picture.kind, onChoose]);

  const value = latest(picture);
  const scale = useScale(group, value?.preview.values);
  const layout = useMemo(() => {
    if (value === undefined || value.preview.rows === 0 || value.preview.columns === 0) return null;
    const { sourceRows, sourceColumns } = value.preview;
    const height = Math.max(16, Math.min(HIGHEST, (width * sourceRows) / sourceColumns));
    return { width: Math.min(width, Math.max(16, (height * sourceColumns) / sourceRows)), height };
  }, [value, width]);
  useEffect(() => {
    if (canvas.current === null || value === undefined || layout === null || scale === null) return;
    drawHeat(canvas.current, { preview: value.preview, scale, palette: isDark ? HEAT_PALETTES.dark : HEAT_PALETTES.light, layout, ratio });
  }, [value, layout, scale, isDark, ratio]);

  if (version === undefined) return null;
  const choose = (place: number) => {
    const target = versions[place];
    if (target !== undefined) onChoose(target);
  };
  const play = () => {
    if (!isPlaying && next === undefined) choose(0);
    setPlaying(!isPlaying);
  };
  return (
    <figure className={styles.figure}>
      <div className={styles.bar}>
        <IconButton
          label={isPlaying ? 'Pause' : 'Play through the versions'}
          icon={isPlaying ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
          disabled={versions.length < 2}
          onClick={play}
        />
        <label htmlFor={id} className="visually-hidden">
          Version
        </label>
        <input
          id={id}
          type="range"
          className={styles.slider}
          min={0}
          max={last}
          value={at}
          disabled={versions.length < 2}
          aria-valuetext={`${at + 1} of ${versions.length}: ${version.info.title}`}
          onChange={(event) => {
            setPlaying(false);
            choose(Number(event.target.value));
          }}
        />
        <span className={styles.place}>
          {at + 1} of {versions.length}
        </span>
        <ExportMenu label={`picture of ${group} at ${version.commit.slice(0, 8)}`} chart={() => canvas.current} />
      </div>
      <p className={styles.caption}>
        <code>{version.commit.slice(0, 8)}</code> <bdi>{version.info.title}</bdi>
      </p>
      {picture.kind === 'failed' ? <ErrorNotice title="This version could not be drawn" error={picture.error} /> : null}
      {layout === null ? (
        <div className={styles.empty} aria-busy={picture.kind === 'loading'} />
      ) : (
        <canvas ref={canvas} role="img" aria-label={`Heat map of ${group} at ${version.commit.slice(0, 8)}`} className={styles.canvas} style={layout} />
      )}
    </figure>
  );
}

/** The scale of the first picture of a group that is seen; another group has its own. */
function useScale(group: string, values: Float32Array | undefined): HeatScale | null {
  const [kept, setKept] = useState<{ readonly group: string; readonly scale: HeatScale } | null>(null);
  useEffect(() => {
    if (values !== undefined) setKept((before) => (before?.group === group ? before : { group, scale: chooseHeatScale(values) }));
  }, [group, values]);
  return kept?.group === group ? kept.scale : null;
}
