import { useEffect, useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { GraphView } from '../../../shared/model/graph';
import type { Side } from '../../../shared/model/side';
import { failed, idle, type Loadable, loading, ready } from '../../state/loadable';
import { useClient } from '../../state/storesContext';
import type { SourceChoice } from './sourceChoice';
import { isComplete, useSource } from './useSource';

export interface OtherModel {
  readonly side: Side;
  readonly view: GraphView;
}

/** Between two keys of somebody who types a revision. */
const PAUSE_MS = 250;

/** The graph of another model, opened on the host while it is chosen. */
export function useOtherModel(choice: SourceChoice | null): Loadable<OtherModel> {
  const client = useClient();
  const find = useSource();
  const [model, setModel] = useState<Loadable<OtherModel>>(idle);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice alone decides
  useEffect(() => {
    setModel(isComplete(choice) ? loading() : idle);
    if (!isComplete(choice)) return;
    const controller = new AbortController();
    const { signal } = controller;
    let graph: string | null = null;
    const close = (opened: string) => void client.request('graph/close', { graph: opened }).catch(() => undefined);
    const load = async () => {
      try {
        const side = await find(choice, signal);
        if (side === null || signal.aborted) return;
        const opened = await client.request('graph/open', { side }, { signal });
        if (signal.aborted) close(opened.graph);
        else {
          graph = opened.graph;
          setModel(ready({ side, view: opened.view }));
        }
      } catch (thrown) {
        if (!signal.aborted) setModel(failed(CheckpointError.from(thrown)));
      }
    };
    const timer = setTimeout(() => void load(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
      if (graph !== null) close(graph);
    };
  }, [JSON.stringify(choice), client]);
  return model;
}
