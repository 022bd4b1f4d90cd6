import { useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { Side } from '../../../shared/model/side';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';
import { SourceFields } from './SourceFields';
import { type SourceChoice, sourcePaths, sourceWords } from './sourceChoice';
import { isComplete, useSource } from './useSource';

/** Chooses the checkpoint whose names the model's values may have lost. */
export function ProposeDialog({ repository, side }: { readonly repository: RepositoryDescription; readonly side: Side }) {
  const { graphEdit } = useStores();
  const find = useSource();
  const paths = sourcePaths(repository, side.path);
  const [choice, setChoice] = useState<SourceChoice | null>(() => {
    const [first] = paths;
    return first === undefined ? null : { kind: 'tracked', path: first, version: { kind: 'same' } };
  });
  const [onlyNumbered, setOnlyNumbered] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [error, setError] = useState<CheckpointError | null>(null);
  const close = () => graphEdit.getState().ask(null);
  const start = async () => {
    if (!isComplete(choice)) return;
    setError(null);
    setFinding(true);
    try {
      const found = await find(choice, new AbortController().signal);
      if (found === null) return;
      close();
      graphEdit.getState().openNames(true);
      void graphEdit.getState().propose({ kind: 'checkpoint', side: found }, { onlyNumbered, words: sourceWords(choice) });
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    } finally {
      setFinding(false);
    }
  };
  return (
    <Dialog
      open
      onClose={close}
      title="Propose names from a checkpoint"
      description="Values of equal content get the checkpoint's names; also transposed ones, and Conv weights that a BatchNorm was folded into."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" disabled={!isComplete(choice) || isFinding} onClick={() => void start()}>
            Propose names
          </Button>
        </>
      }
    >
      <form
        className={styles.content}
        data-graph-drop="propose"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <SourceFields repository={repository} paths={paths} value={choice} onChange={setChoice} purpose="Propose names from a file" />
        <Checkbox label="Only for numbered names, such as onnx::MatMul_98" checked={onlyNumbered} onChange={setOnlyNumbered} />
        <p className={styles.quiet}>A checkpoint can also be dropped on this window.</p>
        {error === null ? null : <ErrorNotice title="The checkpoint could not be found" error={error} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
