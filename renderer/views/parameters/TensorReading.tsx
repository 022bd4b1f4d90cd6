import { useEffect } from 'react';
import { useStore, useStores } from '../../state/storesContext';
import { Reconstruction } from './GroupDetail';

/** Statistics, histogram and heat map of a group of the chosen checkpoint at the selected commit, for other views to show inside. */
export function TensorReading({ group }: { readonly group: string }) {
  const { workspace, parameter } = useStores();
  const commit = useStore(workspace, (state) => state.commit);
  const path = useStore(workspace, (state) => state.path);
  useEffect(() => {
    if (commit !== null && path !== null) parameter.getState().show({ commit, path, group });
  }, [parameter, commit, path, group]);
  useEffect(() => () => parameter.getState().leave(), [parameter]);
  return <Reconstruction name={group} />;
}
