import { useEffect, useMemo, useRef } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { CommitHash } from '../../../shared/model/commit';
import type { Shape } from '../../../shared/model/shape';
import { formatShare } from '../../charts/formatNumber';
import { Button } from '../../components/Button';
import { CommitLink } from '../../components/CommitLink';
import chartStyles from '../../components/chart.module.css';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ExportMenu } from '../../components/ExportMenu';
import { SkeletonRows } from '../../components/Skeleton';
import { useIsDark, usePixelRatio } from '../../components/useCanvasLook';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './BlamePanel.module.css';
import { ElementMap } from './ElementMap';
import type { StoryVersion } from './storyFacts';
import { laneColour } from './VersionChart';

const STRIP = { width: 20, height: 160 } as const;

interface BlamePanelProps {
  readonly group: string;
  readonly shape: Shape;
  readonly versions: readonly StoryVersion[];
  /** Version whose rows are asked about. */
  readonly commit: CommitHash | null;
  readonly onGoTo: (commit: CommitHash) => void;
}

/** Which commit last changed each row of the group, and each element of its corner. */
export function BlamePanel({ group, shape, versions, commit, onGoTo }: BlamePanelProps) {
  const { story } = useStores();
  const blame = useStore(story, (state) => state.blame);
  const value = latest(blame);
  const titles = useMemo(() => new Map(versions.map((version) => [version.commit, version.info.title])), [versions]);
  const shares = useMemo(() => (value === undefined ? [] : countRows(value.rows, value.commits.length)), [value]);
  if (commit === null) return null;
  const load = () => story.getState().loadBlame(commit, shape);
  const isOther = value !== undefined && value.commit !== commit;

  if (blame.kind === 'failed')
    return <ErrorNotice title="The rows could not be followed" error={blame.error} action={<Button onClick={load}>Try again</Button>} />;
  if (value === undefined)
    return blame.kind === 'loading' ? (
      <SkeletonRows count={4} label="Following the rows" />
    ) : (
      <Button onClick={load}>Show which commit last changed each row</Button>
    );
  return (
    <div aria-busy={blame.kind === 'loading'}>
      <div className={chartStyles.summary}>
        <span>
          {value.rows.length === 1 ? 'One row' : `${formatCount(value.rows.length)} rows`} at <code>{value.commit.slice(0, 8)}</code>
        </span>
        {isOther ? <Button onClick={load}>At {commit.slice(0, 8)}</Button> : null}
        <ExportMenu
          label={`last change of each row of ${group}`}
          table={() => ({
            columns: ['row', 'commit', 'title'],
            rows: Array.from(value.rows, (at, row) => [row, value.commits[at] ?? null, titles.get(value.commits[at] ?? value.commit) ?? null]),
          })}
        />
      </div>
      {value.note === null ? null : <p className={styles.note}>{value.note}</p>}
      <div className={styles.body}>
        <Strip rows={value.rows} commits={value.commits.length} />
        {value.elements === null || value.elements.length === 0 ? null : (
          <ElementMap
            elements={value.elements}
            window={value.window}
            commits={value.commits}
            titleOf={(changed) => titles.get(changed) ?? ''}
            isCorner={value.window.rows < value.rows.length || value.window.columns < (shape.at(-1) ?? 1)}
          />
        )}
        <ol className={styles.list}>
          {value.commits.map((changed, at) =>
            (shares[at] ?? 0) === 0 ? null : (
              <li key={changed} className={styles.item}>
                <span className={styles.swatch} style={{ background: laneColour(at) }} aria-hidden="true">
                  {at + 1}
                </span>
                <CommitLink commit={changed} onGoTo={onGoTo} />
                <bdi className={styles.title}>{titles.get(changed) ?? ''}</bdi>
                <span className={styles.count}>
                  {formatCount(shares[at] ?? 0)} {shares[at] === 1 ? 'row' : 'rows'} ({formatShare((shares[at] ?? 0) / Math.max(1, value.rows.length))})
                </span>
              </li>
            ),
          )}
        </ol>
      </div>
    </div>
  );
}

/** All rows from top to bottom, each in the colour of its commit; the list beside it says the same in words. */
function Strip({ rows, commits }: { readonly rows: Int32Array; readonly commits: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useIsDark();
  const ratio = usePixelRatio();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the style sheet, which the theme changes
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element == null || context == null) return;
    element.width = Math.round(STRIP.width * ratio);
    element.height = Math.round(STRIP.height * ratio);
    const style = getComputedStyle(element);
    const colours = Array.from({ length: commits }, (_, at) => style.getPropertyValue(`--lane-${(at % 8) + 1}`));
    for (let y = 0; y < element.height; y++) {
      context.fillStyle = colours[rows[Math.floor((y * rows.length) / element.height)] ?? 0] ?? '#888888';
      context.fillRect(0, y, element.width, 1);
    }
  }, [rows, commits, ratio, isDark]);
  return <canvas ref={canvas} className={styles.strip} style={STRIP} role="img" aria-label="Rows from top to bottom, each in the colour of its commit" />;
}

function countRows(rows: Int32Array, commits: number): number[] {
  const counts = new Array<number>(commits).fill(0);
  for (const at of rows) counts[at] = (counts[at] ?? 0) + 1;
  return counts;
}
