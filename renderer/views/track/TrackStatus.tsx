import { BackgroundTask } from '../../components/BackgroundTask';
import { useStore, useStores } from '../../state/storesContext';

/** How far a commit is whose dialog is closed. */
export function TrackStatus() {
  const { track } = useStores();
  const stage = useStore(track, (state) => state.stage);
  if (stage.kind !== 'committing') return null;
  return (
    <BackgroundTask
      name="Commit in progress"
      label="Committing"
      progress={stage.progress}
      startedAt={stage.phaseStartedAt}
      side="left"
      onShow={() => track.getState().reopen()}
    />
  );
}
