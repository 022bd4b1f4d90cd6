import { useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { GraphView } from '../../../shared/model/graph';
import { formatShape } from '../../../shared/model/shape';
import type { Side } from '../../../shared/model/side';
import { Checkbox } from '../../components/Checkbox';
import { ErrorNotice } from '../../components/ErrorNotice';
import { addressOf } from '../../state/renameDraft';
import { useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';
import { EditForm } from './EditForm';
import { sourcePaths } from './sourceChoice';
import { isValueReady, useValueSource, type ValueChoice, ValueFields } from './ValueFields';

interface ValueDialogProps {
  readonly open: boolean;
  readonly view: GraphView;
  readonly initializer: number;
  readonly repository: RepositoryDescription;
  readonly side: Side;
}

/** Another value for an initializer: one number, or a group of a version, a checkpoint or a file. */
export function ValueDialog({ open, view, initializer, repository, side }: ValueDialogProps) {
  const { graphEdit } = useStores();
  const find = useValueSource();
  const tensor = view.initializers[initializer];
  const address = addressOf(view, initializer);
  // Another version of this very model is the likeliest source.
  const paths = [side.path, ...sourcePaths(repository, side.path)];
  const [value, setValue] = useState<ValueChoice>(() => ({
    kind: 'constant',
    text: '0',
    choice: { kind: 'tracked', path: side.path, version: { kind: 'worktree' } },
    group: tensor?.group ?? address?.name ?? '',
  }));
  const [allowChange, setAllowChange] = useState(false);
  const [error, setError] = useState<CheckpointError | null>(null);
  if (tensor === undefined || address === null) return null;
  const isReady = isValueReady(value);
  const start = async () => {
    setError(null);
    try {
      const source = await find(value);
      if (source !== null) graphEdit.getState().startReview({ kind: 'set-value', address, value: source, allowChange });
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    }
  };
  return (
    <EditForm
      open={open}
      title="Set the value"
      description={
        <>
          <bdi className={styles.name}>{address.name}</bdi> ({tensor.type} {formatShape(tensor.shape)})
        </>
      }
      isReady={isReady}
      onReview={() => void start()}
    >
      <ValueFields repository={repository} paths={paths} value={value} onChange={setValue} numberLabel="The same number everywhere" />
      <Checkbox label="Allow another type or shape" checked={allowChange} onChange={setAllowChange} />
      {error === null ? null : <ErrorNotice title="The checkpoint could not be found" error={error} />}
    </EditForm>
  );
}
