import type { Side } from '../../../shared/model/side';
import { latest } from '../../state/loadable';
import { resolveSide } from '../../state/resolveSide';
import { useClient, useStores } from '../../state/storesContext';
import { type SourceChoice, sideOfSource } from './sourceChoice';

/** Finds what a choice means now. @throws CheckpointError `not-found` for a revision that names no commit */
export function useSource(): (choice: SourceChoice, signal: AbortSignal) => Promise<Side | null> {
  const client = useClient();
  const { graph, workspace, compare } = useStores();
  return async (choice, signal) => {
    const opened = latest(graph.getState().graph);
    const repository = latest(workspace.getState().repository);
    if (opened === undefined || repository === undefined) return null;
    return resolveSide(sideOfSource(choice, opened.side), { client, others: compare.getState().others, repository: repository.id, signal });
  };
}

/** Whether enough is said to look for it. */
export function isComplete(choice: SourceChoice | null): choice is SourceChoice {
  return choice !== null && (choice.kind === 'file' || choice.version.kind !== 'revision' || choice.version.revision.trim() !== '');
}
