import { type CommitHash, headCommit } from '../../../shared/model/commit';
import { parentOf } from '../../state/compareActions';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';

const MOST = 200;

/** Versions that the shown one can be measured against: its parent, HEAD, branches and tags; each commit once, except the shown one. */
export function useBaseVersions(): readonly { readonly commit: CommitHash; readonly label: string }[] {
  const stores = useStores();
  const repository = useStore(stores.workspace, (state) => latest(state.repository));
  const commit = useStore(stores.workspace, (state) => state.commit);
  // Known once the commit itself is.
  useStore(stores.checkpoint, (state) => state.commit);
  const parent = commit === null ? null : parentOf(stores, commit);
  const head = repository === undefined ? null : headCommit(repository.head);
  const all = [
    ...(parent === null ? [] : [{ commit: parent, label: `Parent ${parent.slice(0, 7)}` }]),
    ...(head === null ? [] : [{ commit: head, label: 'HEAD' }]),
    ...(repository?.refs ?? []).map((ref) => ({ commit: ref.commit, label: ref.name })),
  ];
  const seen = new Set<string>(commit === null ? [] : [commit]);
  return all
    .filter((version) => {
      if (seen.has(version.commit)) return false;
      seen.add(version.commit);
      return true;
    })
    .slice(0, MOST);
}
