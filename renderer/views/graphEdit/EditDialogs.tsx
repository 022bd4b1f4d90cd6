import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { EditQuestion } from '../../state/graphEditStore';
import type { OpenedGraph } from '../../state/graphStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { AddInitializerDialog } from './AddInitializerDialog';
import { ExternaliseDialog } from './ExternaliseDialog';
import { ProposeDialog } from './ProposeDialog';
import { RemoveNodesDialog } from './RemoveNodesDialog';
import { RenameDialog } from './RenameDialog';
import { ReviewDialog } from './ReviewDialog';
import { SaveDialog } from './SaveDialog';
import { SpliceDialog } from './SpliceDialog';
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
  return (
    <>
      {/* It stays while its answer is reviewed, so that one who comes back finds what was entered. */}
      {question === null ? null : <Question question={question} open={review === null && !isSaving} opened={opened} repository={repository} />}
      {review === null ? isSaving ? <SaveDialog opened={opened} repository={repository} /> : null : <ReviewDialog shown={review} />}
    </>
  );
}

interface QuestionProps {
  readonly question: EditQuestion;
  readonly open: boolean;
  readonly opened: OpenedGraph;
  readonly repository: RepositoryDescription;
}

function Question({ question, open, opened: { view, side }, repository }: QuestionProps) {
  const common = { open, view, repository, side };
  switch (question.kind) {
    case 'rename':
      return open ? <RenameDialog key={question.initializer} view={view} initializer={question.initializer} /> : null;
    case 'set-value':
      return <ValueDialog key={question.initializer} {...common} initializer={question.initializer} />;
    case 'add-initializer':
      return <AddInitializerDialog {...common} />;
    case 'splice':
      return <SpliceDialog {...common} like={question.like} />;
    case 'propose':
      return open ? <ProposeDialog repository={repository} side={side} /> : null;
    case 'externalise':
      return <ExternaliseDialog open={open} view={view} path={side.path} />;
    case 'remove-nodes':
      return <RemoveNodesDialog open={open} view={view} nodes={question.nodes} module={question.module} />;
  }
}
