import { Button } from '../../components/Button';
import { ErrorNotice } from '../../components/ErrorNotice';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';

/** Why the last folder could not be opened, and what can be done about it. */
export function OpeningFailure() {
  const { workspace, recent, commands } = useStores();
  const repository = useStore(workspace, (state) => state.repository);
  const path = useStore(workspace, (state) => state.opening);
  const isRecent = useStore(recent, (state) => latest(state.repositories)?.some((known) => known.path === path) === true);
  if (repository.kind !== 'failed' || path === null) return null;
  const forget = () => {
    void recent.getState().forget(path);
    workspace.getState().closeRepository();
  };
  return (
    <ErrorNotice
      title={`${path} could not be opened`}
      error={repository.error}
      action={
        <>
          <Button onClick={() => void workspace.getState().openRepository(path)}>Try again</Button>
          <Button onClick={() => commands.getState().run('repository.open')}>Choose another folder</Button>
          {isRecent && repository.error.code === 'not-found' ? <Button onClick={forget}>Remove from the list</Button> : null}
          <Button look="quiet" onClick={() => workspace.getState().closeRepository()}>
            Dismiss
          </Button>
        </>
      }
    />
  );
}
