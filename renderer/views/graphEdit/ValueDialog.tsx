import { useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { GraphView } from '../../../shared/model/graph';
import { formatShape } from '../../../shared/model/shape';
import type { Side } from '../../../shared/model/side';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { addressOf } from '../../state/renameDraft';
import { useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';
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
  const close = () => graphEdit.getState().ask(null);
  if (tensor === undefined || address === null) return null;
  const isReady = isValueReady(value);
  const start = async () => {
    if (!isReady) return;
    setError(null);
    try {
      const source = await find(value);
      if (source !== null) graphEdit.getState().startReview({ kind: 'set-value', address, value: source, allowChange });
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Set the value"
      description={
        <>
          <bdi className={styles.name}>{address.name}</bdi> ({tensor.type} {formatShape(tensor.shape)})
        </>
      }
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" disabled={!isReady} onClick={() => void start()}>
            Review…
          </Button>
        </>
      }
    >
      <form
        className={styles.content}
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <ValueFields repository={repository} paths={paths} value={value} onChange={setValue} numberLabel="The same number everywhere" />
        <Checkbox label="Allow another type or shape" checked={allowChange} onChange={setAllowChange} />
        {error === null ? null : <ErrorNotice title="The checkpoint could not be found" error={error} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
