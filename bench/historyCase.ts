import { makeSyntheticHistory } from '../e2e/fixtures/makeSyntheticHistory';
import { cached } from './cacheFolder';
import { type Measurement, measureProcess } from './measureProcess';
import { median } from './median';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';
import { whenPresent } from './whenPresent';

const COMMITS = 100_000;

/** The first page must be there before anybody could ask whether it comes. */
const TARGET_FIRST_MS = 300;
const TARGET_WHOLE_RATIO = 3;
const TARGET_MB = 300;

/** Opens a repository of 100,000 commits, each time in a fresh process: first page, then the whole history, beside `git log` over all of it. */
export async function historyCase(repeat: number): Promise<readonly Row[]> {
  const folder = await cached('history-100000-v1', (made) => makeSyntheticHistory(made, { commits: COMMITS, mergeEvery: 20 }));
  const runs: ChildMeasurement[] = [];
  const log: Measurement[] = [];
  for (let run = 0; run < repeat; run++) {
    runs.push(await runChild('history', { folder }));
    const measured = await whenPresent('git', ['--version'], () =>
      measureProcess('git', ['-C', folder, 'log', '--all', '--format=%H %P %an %ae %at %s', '--output=/dev/null']),
    );
    if (measured !== null) log.push(measured);
  }
  const of = (field: string) => median(runs.map(({ results }) => results[field] ?? Number.NaN));
  const floor = log.length === 0 ? null : median(log.map(({ seconds }) => seconds));
  return [
    { what: `open and show the first page of ${of('commits')} commits`, value: of('firstPage') * 1000, unit: 'ms', target: TARGET_FIRST_MS },
    { what: 'read the whole history', value: of('whole'), unit: 's', target: null },
    ...(floor === null
      ? []
      : [
          { what: 'git log over the whole history', value: floor, unit: 's', target: null } as const,
          { what: 'whole history / git log', value: of('whole') / floor, unit: '×', target: TARGET_WHOLE_RATIO } as const,
        ]),
    { what: 'peak memory of the largest process', value: median(runs.map(({ peak }) => (peak ?? Number.NaN) / 1e6)), unit: 'MB', target: TARGET_MB },
  ];
}
