import { latest } from '../state/loadable';
import { readMapping } from '../state/readMapping';
import type { Shell } from '../state/storesContext';
import type { Dropped } from './droppedEntries';

/**
 * While the graph is looked at, a dropped JSON or CSV file is a mapping of names, and a file that is dropped while a checkpoint is asked for
 * is that checkpoint. Everything else means what it means everywhere.
 * @returns whether it was taken
 * @throws CheckpointError when the file cannot be sent to the host
 */
export async function graphDropped({ client, stores }: Shell, { files, folders }: Dropped): Promise<boolean> {
  const { workspace, graph, graphEdit } = stores;
  const [file] = files;
  if (workspace.getState().view !== 'graph' || file === undefined || files.length > 1 || folders.length > 0) return false;
  if (latest(graph.getState().graph) === undefined) return false;
  if (graphEdit.getState().question?.kind === 'propose') {
    const path = await client.hostPathFor(file);
    graphEdit.getState().ask(null);
    graphEdit.getState().openNames(true);
    await graphEdit.getState().propose({ kind: 'checkpoint', side: { kind: 'file', path } }, { onlyNumbered: false, words: file.name });
    return true;
  }
  if (!/\.(?:json|csv)$/i.test(file.name)) return false;
  await readMapping(stores, file);
  return true;
}
