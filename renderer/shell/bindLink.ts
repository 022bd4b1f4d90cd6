import type { Stores } from '../state/createStores';
import { formatLink, type Link, parseLink } from '../state/link';
import { latest } from '../state/loadable';
import { paceWrites } from './paceWrites';

/** The strictest browsers allow 100 changes of the address in 30 seconds; holding an arrow key makes more. */
const PACE = { burst: 30, restMs: 500 };

type LinkedStores = Pick<Stores, 'workspace' | 'compare' | 'graphDiff'>;

/**
 * Keeps the address and the workspace alike: a reload or a copied address shows the same view, and going back returns
 * to the repository before, or from two graphs to one. Other moves inside a repository change the address in place.
 */
export function bindLink(stores: LinkedStores): void {
  const { workspace, compare, graphDiff } = stores;
  const write = () => {
    const fragment = formatLink(currentLink(stores));
    if (fragment === window.location.hash) return;
    const address = `${window.location.pathname}${window.location.search}${fragment}`;
    const [before, after] = [parseLink(window.location.hash), parseLink(fragment)];
    if (before !== null && isStep(before, after)) window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
  };
  const pace = paceWrites(write, PACE);
  let isFollowing = false;
  const keep = () => {
    const state = workspace.getState();
    // While something opens, the address still says what is to be opened; while one is followed, what is still to be done.
    if (state.opening !== null || isFollowing) return;
    if (latest(state.repository)?.path !== parseLink(window.location.hash)?.repository) write();
    else if (formatLink(currentLink(stores)) !== window.location.hash) pace.request();
  };
  workspace.subscribe(keep);
  compare.subscribe((state, before) => {
    if (state.a !== before.a || state.b !== before.b) keep();
  });
  graphDiff.subscribe((state, before) => {
    if (state.isShown !== before.isShown) keep();
  });
  // Too late for a reload, whose address the browser has read already, but not for going back here.
  window.addEventListener('pagehide', () => {
    pace.flush();
  });
  window.addEventListener('popstate', () => {
    pace.cancel();
    isFollowing = true;
    try {
      follow(stores, parseLink(window.location.hash));
    } finally {
      isFollowing = false;
    }
    keep();
  });
}

/** Whether one who goes back means to come back from here. */
function isStep(before: Link, after: Link | null): boolean {
  return before.repository !== after?.repository || (!before.twoGraphs && after.twoGraphs);
}

function follow({ workspace, compare, graphDiff }: LinkedStores, link: Link | null): void {
  const state = workspace.getState();
  if (link !== null) compare.getState().restore(link.repository, link);
  if (link === null) state.closeRepository();
  else if (link.repository !== latest(state.repository)?.path) {
    graphDiff.getState().restore(link.repository, link.twoGraphs);
    void state.openRepository(link.repository, link);
  } else {
    if (link.path !== null) state.choosePath(link.path);
    state.selectCommit(link.commit);
    state.selectGroup(link.group);
    state.showView(link.view);
    // Last: choosing another commit ends a comparison.
    graphDiff.getState().restore(link.repository, link.twoGraphs);
  }
}

function currentLink({ workspace, compare, graphDiff }: LinkedStores): Link | null {
  const state = workspace.getState();
  const repository = latest(state.repository);
  if (repository === undefined) return null;
  const { a, b } = compare.getState();
  return {
    repository: repository.path,
    view: state.view,
    path: state.path,
    commit: state.commit,
    group: state.group,
    a,
    b,
    twoGraphs: graphDiff.getState().isShown,
  };
}
