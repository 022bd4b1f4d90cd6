import { useEffect } from 'react';
import { useStore, useStores } from '../../state/storesContext';
import { Reconstruction } from './GroupDetail';

interface TensorReadingProps {
  readonly group: string;
  /** Id of the opened graph whose model is read; `null`: the chosen checkpoint at the selected commit. */
  readonly graph: string | null;
}

/** Statistics, histogram and heat map of a group, for other views to show inside. */
export function TensorReading({ group, graph }: TensorReadingProps) {
  const { workspace, parameter } = useStores();
  const commit = useStore(workspace, (state) => state.commit);
  const path = useStore(workspace, (state) => state.path);
  useEffect(() => {
    if (graph !== null) parameter.getState().show({ graph, group });
    else if (commit !== null && path !== null) parameter.getState().show({ commit, path, group });
  }, [parameter, graph, commit, path, group]);
  useEffect(() => () => parameter.getState().leave(), [parameter]);
  return <Reconstruction name={group} />;
}
