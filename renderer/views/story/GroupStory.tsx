import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatBytes } from '../../../shared/base/formatBytes';
import type { CommitHash } from '../../../shared/model/commit';
import { formatShape } from '../../../shared/model/shape';
import { Button } from '../../components/Button';
import { CommitLink } from '../../components/CommitLink';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { GroupContent, GroupFact, GroupFacts, GroupPane } from '../../components/GroupPane';
import { ProgressBar } from '../../components/ProgressBar';
import { SkeletonRows } from '../../components/Skeleton';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import { useElementSize } from '../../components/useElementSize';
import { useStore, useStores } from '../../state/storesContext';
import { BisectPanel } from './BisectPanel';
import { BlamePanel } from './BlamePanel';
import styles from './GroupStory.module.css';
import { Ridgeline } from './Ridgeline';
import { Scrubber } from './Scrubber';
import { type StoryFacts, storyFacts } from './storyFacts';
import { firstNotFinite, storyCharts } from './storySeries';
import { VersionChart } from './VersionChart';
import { VersionTable } from './VersionTable';

/** From here on two charts stand side by side. */
const WIDE = 860;
const GAP = 24;

/** How the chosen parameter group moved over the history of the model. */
export function GroupStory() {
  const { timeline, workspace, story } = useStores();
  const group = useStore(workspace, (state) => state.group);
  const index = useStore(timeline, (state) => state.index);
  const states = useStore(timeline, (state) => state.states);
  useEffect(() => {
    const watching = timeline.getState().watch();
    return () => watching.dispose();
  }, [timeline]);
  const facts = useMemo(() => (states === null || group === null ? null : storyFacts(states, group)), [states, group]);
  useEffect(() => {
    if (facts !== null) story.getState().show({ group: facts.row.name, commits: facts.commits });
    else story.getState().leave();
  }, [story, facts]);
  useEffect(() => () => story.getState().leave(), [story]);

  if (group === null) return <EmptyState title="No parameter group chosen" text="Choose one in the grid to see how it moved." />;
  if (states === null) {
    return index.kind === 'failed' ? (
      <EmptyState title="Not available" text="The versions of this checkpoint could not be read." />
    ) : (
      <SkeletonRows count={8} label="Reading the versions" />
    );
  }
  if (facts === null) return <EmptyState title="Not in these versions" text="No version in this timeline has a parameter group of this name." />;
  return <Story facts={facts} />;
}

/** Other names of the group; its story goes on under them. */
function FormerNames({ words, names }: { readonly words: string; readonly names: readonly string[] }) {
  const { workspace } = useStores();
  if (names.length === 0) return null;
  return (
    <GroupFacts>
      <GroupFact>
        <UpdateGlyph kind="renamed" /> {words}
      </GroupFact>
      {names.map((name) => (
        <Button key={name} onClick={() => workspace.getState().selectGroup(name)}>
          <bdi>{name === '' ? '(no name)' : name}</bdi>
        </Button>
      ))}
    </GroupFacts>
  );
}

function Story({ facts }: { readonly facts: StoryFacts }) {
  const { workspace, story, timeline } = useStores();
  const commit = useStore(workspace, (state) => state.commit);
  const scope = useStore(timeline, (state) => state.options.scope);
  const statistics = useStore(story, (state) => state.statistics);
  const differences = useStore(story, (state) => state.differences);
  const waiting = useStore(story, (state) => state.waiting);
  const error = useStore(story, (state) => state.error);
  const box = useRef<HTMLDivElement>(null);
  const { width: outer } = useElementSize(box);
  const [hovered, setHovered] = useState<number | null>(null);
  const { row, versions, links, renamedFrom, renamedTo } = facts;
  const width = Math.max(0, outer - 24);
  const columns = width >= WIDE ? 2 : 1;
  const chosen = facts.placeAt(commit);
  const numbers = useMemo(() => ({ statistics, differences }), [statistics, differences]);
  const charts = useMemo(() => storyCharts(versions, numbers), [versions, numbers]);
  const withValue = useMemo(() => versions.filter(({ kind }) => kind !== 'removed'), [versions]);
  const goTo = useCallback((target: CommitHash) => workspace.getState().selectCommit(target), [workspace]);
  const choose = (place: number) => {
    const version = versions[place];
    if (version !== undefined) goTo(version.commit);
  };
  const alarm = firstNotFinite(versions, numbers);
  const chosenVersion = chosen === null ? undefined : versions[chosen];
  return (
    <GroupPane label="Story of the parameter group" name={row.name} onClose={() => workspace.getState().selectGroup(null)}>
      <GroupFacts>
        <code>{row.dtype}</code>
        <code>{formatShape(row.shape)}</code>
        <span>{formatBytes(row.bytes)}</span>
        <span>{versions.length === 1 ? 'one version' : `${versions.length} versions`}</span>
      </GroupFacts>
      <FormerNames words="Renamed from" names={renamedFrom} />
      <FormerNames words="Renamed to" names={renamedTo} />
      <GroupContent ref={box}>
        {waiting > 0 ? (
          <ProgressBar
            label="Measuring the versions"
            progress={{ phase: 'Measuring the versions', done: withValue.length - waiting, total: withValue.length, unit: 'commits' }}
          />
        ) : null}
        {error === null ? null : (
          <ErrorNotice title="The versions could not be measured" error={error} action={<Button onClick={() => story.getState().retry()}>Try again</Button>} />
        )}
        {alarm === null ? null : (
          <p className={styles.alarm}>
            <TriangleAlert size={14} aria-hidden="true" />
            <span>
              First {alarm.words} at <CommitLink commit={alarm.version.commit} onGoTo={goTo} /> <bdi>{alarm.version.info.title}</bdi>
            </span>
          </p>
        )}
        {width <= 80 ? null : (
          <div className={styles.charts} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
            {charts.map((chart) => (
              <VersionChart
                key={chart.id}
                {...{ group: row.name, chart, versions, links, hovered, chosen }}
                width={(width - (columns - 1) * GAP) / columns}
                onHover={setHovered}
                onChoose={choose}
              />
            ))}
          </div>
        )}
        <p className={styles.readout} role="status">
          {hovered === null ? '' : `${versions[hovered]?.commit.slice(0, 8)} ${versions[hovered]?.info.title}`}
        </p>
        <Part title="Versions">
          <VersionTable group={row.name} {...{ versions, numbers, chosen }} onChoose={choose} />
        </Part>
        <Part title="Through the versions">
          <Scrubber
            group={row.name}
            shape={row.shape}
            versions={withValue}
            width={width}
            chosen={chosenVersion === undefined ? null : placeOf(withValue, chosenVersion.commit)}
            onChoose={(version) => goTo(version.commit)}
          />
        </Part>
        <Part title="Distributions">
          <Ridgeline group={row.name} {...{ versions, numbers, width, chosen }} onChoose={goTo} />
        </Part>
        <Part title="Last change of each row">
          <BlamePanel group={row.name} shape={row.shape} versions={versions} commit={commit} onGoTo={goTo} />
        </Part>
        <Part title="First version where…">
          <BisectPanel versions={versions} scope={scope} onGoTo={goTo} />
        </Part>
      </GroupContent>
    </GroupPane>
  );
}

function placeOf(versions: readonly { readonly commit: CommitHash }[], commit: CommitHash): number | null {
  const place = versions.findIndex((version) => version.commit === commit);
  return place < 0 ? null : place;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      {children}
    </section>
  );
}
