import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from './cacheFolder';
import { makeTimelineRepository, TIMELINE_MODEL } from './makeTimelineRepository';
import { median } from './median';
import type { Row } from './report';
import { type ChildMeasurement, runChild } from './runChild';

const SHAPE = { commits: 1000, groups: 1000, changed: 20, allEvery: 50 };

const TARGET_FIRST_S = 3;
const TARGET_SECOND_MS = 100;
const TARGET_MB = 300;

/** What every commit did to every group, from metadata alone: the first time, and by another process that finds what the first one noted. */
export async function timelineCase(repeat: number): Promise<readonly Row[]> {
  const { commits, groups } = SHAPE;
  const folder = await cached('timeline-1000x1000-v1', (made) => makeTimelineRepository(made, SHAPE));
  const first: ChildMeasurement[] = [];
  const second: ChildMeasurement[] = [];
  for (let run = 0; run < repeat; run++) {
    await rm(join(folder, '.git', 'theta-desktop'), { recursive: true, force: true });
    first.push(await runChild('timeline', { folder, path: TIMELINE_MODEL }));
    second.push(await runChild('timeline', { folder, path: TIMELINE_MODEL }));
  }
  const of = (runs: readonly ChildMeasurement[], field: string) => median(runs.map(({ results }) => results[field] ?? Number.NaN));
  const peak = (runs: readonly ChildMeasurement[]) => median(runs.map((run) => (run.peak ?? Number.NaN) / 1e6));
  return [
    { what: `index ${commits} commits × ${groups} groups (${of(first, 'changes')} changes)`, value: of(first, 'seconds'), unit: 's', target: TARGET_FIRST_S },
    { what: 'peak memory of the largest process', value: peak(first), unit: 'MB', target: TARGET_MB },
    { what: 'the same once more, in another process', value: of(second, 'seconds') * 1000, unit: 'ms', target: TARGET_SECOND_MS },
    { what: 'and again in that process', value: of(second, 'again') * 1000, unit: 'ms', target: TARGET_SECOND_MS },
    { what: 'peak memory of the second look', value: peak(second), unit: 'MB', target: TARGET_MB },
  ];
}
