import { useSyncExternalStore } from 'react';

/** From here on three panes beside the sidebar are each wide enough to read. */
const WIDE = '(min-width: 1600px)';

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
