import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import { formatNumber, formatShare } from '../../charts/formatNumber';
import { CommitLink } from '../../components/CommitLink';
import chartStyles from '../../components/chart.module.css';
import { ExportMenu } from '../../components/ExportMenu';
import { formatMoment } from '../../components/formatMoment';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import type { StoryVersion } from './storyFacts';
import type { StoryNumbers } from './storySeries';
import styles from './VersionTable.module.css';

interface VersionTableProps {
  readonly group: string;
  /** Oldest first; shown newest first. */
  readonly versions: readonly StoryVersion[];
  readonly numbers: StoryNumbers;
  readonly chosen: number | null;
  readonly onChoose: (place: number) => void;
}

/** Every version of the group: who changed it when and how, what it takes on disk and to reconstruct. The topmost is who changed it last. */
export function VersionTable({ group, versions, numbers, chosen, onChoose }: VersionTableProps) {
  const newestFirst = versions.map((version, place) => ({ version, place })).reverse();
  return (
    <div className={styles.box}>
      <div className={chartStyles.summary}>
        <span>{versions.length === 1 ? 'One version' : `${formatCount(versions.length)} versions, the last change first`}</span>
        <ExportMenu
          label={`versions of ${group}`}
          table={() => ({
            columns: [
              'commit',
              'date',
              'author',
              'title',
              'update',
              'stored bytes',
              'updates to read',
              'bytes to read',
              'norm',
              'std',
              'delta',
              'changed share',
            ],
            rows: newestFirst.map(({ version }) => rowOf(version, numbers)),
          })}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={`Versions of ${group}`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Commit</th>
              <th scope="col">Update</th>
              <th scope="col" className={styles.number}>
                Stored
              </th>
              <th scope="col" className={styles.number}>
                To reconstruct
              </th>
              <th scope="col" className={styles.number}>
                ‖Δ‖
              </th>
              <th scope="col" className={styles.number}>
                Changed
              </th>
            </tr>
          </thead>
          <tbody>
            {newestFirst.map(({ version, place }) => {
              const difference = numbers.differences.get(version.commit)?.numbers;
              return (
                <tr key={version.commit} aria-current={place === chosen ? 'true' : undefined} className={place === chosen ? styles.chosen : undefined}>
                  <td className={styles.commit}>
                    <CommitLink commit={version.commit} onGoTo={() => onChoose(place)} />{' '}
                    <bdi title={`${version.info.title}\n${version.info.author}, ${formatMoment({ time: version.info.time, offset: 0 })}`}>
                      {version.info.title}
                    </bdi>
                  </td>
                  <td>
                    <UpdateGlyph kind={version.kind} showLabel />
                  </td>
                  <td className={styles.number}>{version.kind === 'removed' ? '–' : formatBytes(version.storedBytes)}</td>
                  <td className={styles.number} title={version.cost.updates > 1 ? `${version.cost.updates} updates` : undefined}>
                    {version.kind === 'removed' ? '–' : `${formatBytes(version.cost.bytes)}${version.cost.updates > 1 ? ` in ${version.cost.updates}` : ''}`}
                  </td>
                  <td className={styles.number}>{difference == null ? '–' : formatNumber(difference.norm)}</td>
                  <td className={styles.number}>
                    {difference == null ? '–' : formatShare(difference.elements === 0 ? 0 : difference.changed / difference.elements)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function rowOf({ commit, info, kind, storedBytes, cost }: StoryVersion, { statistics, differences }: StoryNumbers) {
  const stats = statistics.get(commit)?.stats;
  const difference = differences.get(commit)?.numbers;
  return [
    commit,
    new Date(info.time * 1000).toISOString(),
    info.author,
    info.title,
    kind,
    storedBytes,
    cost.updates,
    cost.bytes,
    stats?.norm ?? null,
    stats?.std ?? null,
    difference?.norm ?? null,
    difference == null || difference.elements === 0 ? null : difference.changed / difference.elements,
  ];
}
