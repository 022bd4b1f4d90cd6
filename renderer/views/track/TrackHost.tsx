import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { useStore, useStores } from '../../state/storesContext';
import { TrackStatus } from './TrackStatus';

/** Loaded when it is needed first: most windows only look. */
const TrackDialog = lazy(async () => ({ default: (await import('./TrackDialog')).TrackDialog }));

/** The dialog while it is open, and a strip for a commit that goes on behind it. */
export function TrackHost() {
  const { track } = useStores();
  const isOpen = useStore(track, (state) => state.isOpen);
  if (!isOpen) return <TrackStatus />;
  return (
    <ErrorBoundary name="dialog">
      <Suspense>
        <TrackDialog />
      </Suspense>
    </ErrorBoundary>
  );
}
