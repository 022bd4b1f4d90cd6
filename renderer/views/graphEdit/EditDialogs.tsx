import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { ExternaliseDialog } from './ExternaliseDialog';
import { ProposeDialog } from './ProposeDialog';
import { RemoveNodesDialog } from './RemoveNodesDialog';
import { RenameDialog } from './RenameDialog';
import { ReviewDialog } from './ReviewDialog';
import { SaveDialog } from './SaveDialog';
import { ValueDialog } from './ValueDialog';

/** The dialogs about edits of the opened graph, one at a time: what is asked, then what it would do, then where it goes. */
export function EditDialogs() {
  const { graph, graphEdit, graphSave, workspace } = useStores();
  const opened = useStore(graph, (state) => latest(state.graph));
  const repository = useStore(workspace, (state) => latest(state.repository));
  const question = useStore(graphEdit, (state) => state.question);
  const review = useStore(graphEdit, (state) => state.review);
  const isSaving = useStore(graphSave, (state) => state.isOpen);
  if (opened === undefined || repository === undefined) return null;
  if (review !== null) return <ReviewDialog shown={review} />;
  if (isSaving) return <SaveDialog opened={opened} repository={repository} />;
  const { view, side } = opened;
  switch (question?.kind) {
    case 'rename':
      return <RenameDialog key={question.initializer} view={view} initializer={question.initializer} />;
    case 'set-value':
      return <ValueDialog key={question.initializer} view={view} initializer={question.initializer} repository={repository} side={side} />;
    case 'propose':
      return <ProposeDialog repository={repository} side={side} />;
    case 'externalise':
      return <ExternaliseDialog view={view} path={side.path} />;
    case 'remove-nodes':
      return <RemoveNodesDialog view={view} nodes={question.nodes} />;
    case undefined:
      return null;
  }
}
