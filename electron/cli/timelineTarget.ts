import { CheckpointError } from '../../shared/contract/errors';
import type { TimelineScope } from '../../shared/contract/timelineRequests';
import type { TimelineIndex } from '../../shared/model/timeline';
import { createCheckpointCache } from '../services/checkpoints/checkpointCache';
import type { CellContext } from '../services/timeline/openCells';
import { timelineIndex } from '../services/timeline/timelines';
import { namedPaths } from './namedPaths';
import { createProgressLine } from './progressLine';
import type { Session } from './session';

export interface NamedTimeline {
  readonly path: string;
  readonly index: TimelineIndex;
}

/** The timeline of a path, with progress on a terminal. */
export async function readTimeline(session: Session, path: string, scope: TimelineScope): Promise<TimelineIndex> {
  const { blobFiles, signal } = session;
  const line = createProgressLine(session.terminal, 'Reading versions');
  try {
    const onProgress = (done: number, total: number) => line.update({ phase: 'Reading versions', done, total, unit: 'commits' });
    return await timelineIndex(await session.repository(), { path, scope }, { blobFiles, signal, onProgress });
  } finally {
    line.clear();
  }
}

/** The timeline of a file that the user named. @throws CheckpointError not-found when no commit of the scope has it */
export async function readNamedTimeline(session: Session, name: string, scope: TimelineScope): Promise<NamedTimeline> {
  for (const path of await namedPaths(session, name)) {
    const index = await readTimeline(session, path, scope);
    if (index.columns.some(({ storage }) => storage !== null)) return { path, index };
  }
  throw new CheckpointError('not-found', `No commit has a file ${name}.`, {
    place: { file: name },
    hint: `Paths start at the current folder, or at the root of the repository${scope.kind === 'all' ? '' : '; --all looks at every branch'}.`,
  });
}

/** What reading values at commits of a path takes. */
export async function cellContext(session: Session, path: string): Promise<CellContext> {
  return {
    repository: await session.repository(),
    checkpoints: createCheckpointCache(session.blobFiles),
    pool: session.pool,
    path,
    signal: session.signal,
  };
}
