import { useMemo, useRef, useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { GraphView } from '../../../shared/model/graph';
import type { Side } from '../../../shared/model/side';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Select } from '../../components/Select';
import { TextField } from '../../components/TextField';
import { useStores } from '../../state/storesContext';
import { EditForm } from './EditForm';
import { sourcePaths } from './sourceChoice';
import { isValueReady, useValueSource, type ValueChoice, ValueFields } from './ValueFields';

interface AddInitializerDialogProps {
  readonly open: boolean;
  readonly view: GraphView;
  readonly repository: RepositoryDescription;
  readonly side: Side;
}

/** A new initializer for a graph of the model: a name that is free there, and a value. */
export function AddInitializerDialog({ open, view, repository, side }: AddInitializerDialogProps) {
  const { graphEdit } = useStores();
  const find = useValueSource();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [graph, setGraph] = useState('0');
  const [value, setValue] = useState<ValueChoice>({
    kind: 'constant',
    text: '0',
    choice: { kind: 'tracked', path: side.path, version: { kind: 'worktree' } },
    group: '',
  });
  const [error, setError] = useState<CheckpointError | null>(null);
  // Functions have no initializers.
  const graphs = view.scopes.flatMap(({ kind, name: own, path }, scope) =>
    kind === 'function' ? [] : [{ value: String(scope), label: kind === 'main' ? 'Main graph' : path || own }],
  );
  const problem = useMemo(() => nameProblem(view, name), [view, name]);
  const isReady = name !== '' && problem === null && isValueReady(value);
  const start = async () => {
    setError(null);
    try {
      const source = await find(value);
      const address = { graph: view.scopes[Number(graph)]?.path ?? '', name };
      if (source !== null) graphEdit.getState().startReview({ kind: 'add-initializer', address, value: source });
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    }
  };
  return (
    <EditForm
      open={open}
      title="Add an initializer"
      description="A tensor that belongs to the model. Nodes that name it use it; nothing else changes."
      initialFocus={field}
      isReady={isReady}
      onReview={() => void start()}
    >
      <TextField ref={field} label="Name" mono value={name} onChange={setName} error={problem} placeholder="encoder.scale" />
      {graphs.length > 1 ? <Select label="Graph" value={graph} options={graphs} onChange={setGraph} /> : null}
      <ValueFields
        repository={repository}
        paths={[side.path, ...sourcePaths(repository, side.path)]}
        value={value}
        onChange={setValue}
        numberLabel="A single number: a whole one is int64, true and false bool, any other float32"
      />
      {error === null ? null : <ErrorNotice title="The value could not be found" error={error} />}
    </EditForm>
  );
}

/** What is wrong with a name, as far as it can be seen here; the review knows all. An input without a default may get one. */
function nameProblem({ values, initializers }: GraphView, name: string): string | null {
  if (name === '') return null;
  if (initializers.some((each) => each.name === name)) return 'The model has an initializer of this name.';
  const value = values.names.findIndex((each, at) => each === name && ((values.role[at] ?? 0) & 1) === 0);
  return value < 0 ? null : 'The model has a value of this name.';
}
