import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { Progress } from '../../../shared/contract/frames';
import { createCheckpointCache } from '../../services/checkpoints/checkpointCache';
import { createSideOpener } from '../../services/comparer/openSide';
import { createGraphs, type GraphRun, type Graphs } from '../../services/graphs/graphs';
import type { OpenedRepository } from '../../services/repositories/openedRepository';
import { createProgressLine } from '../progressLine';
import type { Session } from '../session';
import { sideOf } from './openSide';

export interface GraphSession {
  readonly graphs: Graphs;
  readonly run: GraphRun;
  /** Side of a target, with its repository at hand. */
  readonly side: (target: string) => ReturnType<typeof sideOf>;
}

/** Graphs for one run of the command; what was written for them is removed after it. */
export async function withGraphs<T>(session: Session, verb: (graphs: GraphSession) => Promise<T>): Promise<T> {
  let repository: OpenedRepository | null = null;
  const checkpoints = createCheckpointCache(session.blobFiles);
  const find = (): OpenedRepository => {
    if (repository === null) throw new CheckpointError('not-found', 'No repository is open.');
    return repository;
  };
  const folder = join(tmpdir(), `theta-onnx-${randomUUID()}`);
  const graphs = createGraphs({ graphPool: session.pool, pool: session.pool, opener: createSideOpener({ checkpoints, repository: find }), folder });
  const line = createProgressLine(session.terminal, 'Reading');
  try {
    return await verb({
      graphs,
      run: { signal: session.signal, onProgress: (progress: Progress) => line.update(progress) },
      async side(target) {
        const side = await sideOf(session, target);
        if (side.kind === 'version') repository = await session.repository();
        return side;
      },
    });
  } finally {
    line.clear();
    await rm(folder, { recursive: true, force: true });
  }
}
