import type { ParameterGroup } from '../../shared/model/checkpoint';
import { compareGroups } from '../services/checkpoints/compareGroups';
import { describeCheckpoint } from '../services/checkpoints/openedCheckpoint';
import type { Services } from '../services/createServices';
import { inspectGroup } from '../services/inspectGroup';
import type { Handlers } from './handlers';

type CheckpointMethods = 'checkpoint/describe' | 'parameter/inspect';

/** Versions by their headers against their first parent, and single groups in depth. */
export function checkpointHandlers(services: Services): Pick<Handlers, CheckpointMethods> {
  return {
    'checkpoint/describe': async ({ repository, commit, path }, { signal, onProgress }) => {
      const opened = services.repository(repository);
      const after = await services.checkpoints.open(opened, { commit, path }, signal);
      const parent = (await opened.git.commit(commit)).parents[0];
      const hadIt = parent !== undefined && (await opened.git.entry(parent, path))?.kind === 'blob';
      // A parent that cannot be opened is no reason not to show this version: its groups count as added then.
      const before = hadIt ? await services.checkpoints.open(opened, { commit: parent, path }, signal).catch(() => null) : null;
      const report = (done: number, total: number) => onProgress({ phase: 'Comparing with the parent', done, total, unit: 'groups' });
      const groups = await compareGroups(before, after, { pool: services.pool, signal, onProgress: report });
      const { groups: own, skipped, metadata, ...description } = describeCheckpoint(after);
      return {
        checkpoint: { ...description, groups: own.map(copyGroup), skipped: [...skipped], metadata: [...metadata] },
        parent: before === null ? null : before.version,
        groups: groups.map(({ change, group }) => ({ change, group: copyGroup(group) })),
      };
    },
    'parameter/inspect': async ({ repository, commit, path, group }, { signal, onProgress }) => {
      const within = services.repository(repository);
      const opened = await services.checkpoints.open(within, { commit, path }, signal);
      const report = (done: number, total: number) => onProgress({ phase: 'Reconstructing', done, total, unit: 'bytes' });
      return inspectGroup(opened, group, { repository: within, pool: services.pool, signal, onProgress: report });
    },
  };
}

/** The contract's arrays are mutable. */
function copyGroup(group: ParameterGroup) {
  return { ...group, shape: [...group.shape] };
}
