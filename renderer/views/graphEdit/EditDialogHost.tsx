import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { useStore, useStores } from '../../state/storesContext';

/** Loaded when it is needed first: most windows only look. */
const EditDialogs = lazy(async () => ({ default: (await import('./EditDialogs')).EditDialogs }));

/** The dialogs about edits of a graph, while one is open. */
export function EditDialogHost() {
  const { graphEdit, graphSave } = useStores();
  const isAsked = useStore(graphEdit, (state) => state.question !== null || state.review !== null);
  const isSaving = useStore(graphSave, (state) => state.isOpen);
  if (!isAsked && !isSaving) return null;
  return (
    <ErrorBoundary name="dialog">
      <Suspense>
        <EditDialogs />
      </Suspense>
    </ErrorBoundary>
  );
}
