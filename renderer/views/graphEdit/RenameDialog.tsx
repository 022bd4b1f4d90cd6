import { useEffect, useRef, useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { GraphView } from '../../../shared/model/graph';
import { Button } from '../../components/Button';
import { TextField } from '../../components/TextField';
import { typedName } from '../../state/graphEditStore';
import { latest } from '../../state/loadable';
import { addressKey, addressOf } from '../../state/renameDraft';
import { useClient, useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';
import { EditForm } from './EditForm';

const PAUSE_MS = 200;

/** Another name for one initializer; what stands against it is said as it is written. */
export function RenameDialog({ view, initializer }: { readonly view: GraphView; readonly initializer: number }) {
  const client = useClient();
  const { graph, graphEdit } = useStores();
  const address = addressOf(view, initializer);
  const key = address === null ? '' : addressKey(address);
  const [name, setName] = useState(() => graphEdit.getState().draft.get(key)?.to ?? address?.name ?? '');
  const [checked, setChecked] = useState<{ readonly name: string; readonly problem: string | null }>({ name: address?.name ?? '', problem: null });
  const field = useRef<HTMLInputElement>(null);
  const close = () => graphEdit.getState().ask(null);
  useEffect(() => field.current?.select(), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address stands for the initializer
  useEffect(() => {
    const opened = latest(graph.getState().graph);
    if (address === null || opened === undefined || name === address.name) return;
    const controller = new AbortController();
    const check = async () => {
      try {
        const edit = { kind: 'rename' as const, renames: [{ ...address, to: name }] };
        const { refusals } = await client.request('graph/review', { graph: opened.graph, edit, withSites: false }, { signal: controller.signal });
        if (!controller.signal.aborted) setChecked({ name, problem: refusals[0] ?? null });
      } catch (error) {
        if (!controller.signal.aborted) setChecked({ name, problem: CheckpointError.from(error).message });
      }
    };
    const timer = setTimeout(() => void check(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, key, client, graph]);

  if (address === null) return null;
  const isSame = name === address.name;
  const problem = isSame || checked.name !== name ? null : checked.problem;
  const review = () => {
    if (isSame || problem !== null) return;
    close();
    graphEdit.getState().startReview({ kind: 'rename', renames: [{ ...address, to: name }] });
  };
  return (
    <EditForm
      title="Rename the initializer"
      description={
        <bdi className={styles.name}>
          {address.name === '' ? '(no name)' : address.name}
          {address.graph === '' ? '' : ` in graph ${address.graph}`}
        </bdi>
      }
      initialFocus={field}
      isReady={!isSame && problem === null}
      onReview={review}
      others={
        <Button
          disabled={isSame || name === ''}
          onClick={() => {
            graphEdit.getState().setNames([typedName(address, name)]);
            graphEdit.getState().openNames(true);
            close();
          }}
        >
          Add to the new names
        </Button>
      }
    >
      <TextField ref={field} label="New name" mono dir="auto" value={name} onChange={setName} error={problem} />
    </EditForm>
  );
}
