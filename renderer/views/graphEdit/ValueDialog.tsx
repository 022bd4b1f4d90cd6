import { useEffect, useId, useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { GraphView } from '../../../shared/model/graph';
import type { ValueSource } from '../../../shared/model/graphEdit';
import { formatShape } from '../../../shared/model/shape';
import type { Side } from '../../../shared/model/side';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Skeleton } from '../../components/Skeleton';
import { TextField } from '../../components/TextField';
import { addressOf } from '../../state/renameDraft';
import { useClient, useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';
import { SourceFields } from './SourceFields';
import { type SourceChoice, sourcePaths } from './sourceChoice';
import { isComplete, useSource } from './useSource';

interface ValueDialogProps {
  readonly view: GraphView;
  readonly initializer: number;
  readonly repository: RepositoryDescription;
  readonly side: Side;
}

/** Another value for an initializer: one number, or a group of a version, a checkpoint or a file. */
export function ValueDialog({ view, initializer, repository, side }: ValueDialogProps) {
  const { graphEdit } = useStores();
  const find = useSource();
  const name = useId();
  const tensor = view.initializers[initializer];
  const address = addressOf(view, initializer);
  const [kind, setKind] = useState<'constant' | 'side'>('constant');
  const [text, setText] = useState('0');
  // Another version of this very model is the likeliest source.
  const paths = [side.path, ...sourcePaths(repository, side.path)];
  const [choice, setChoice] = useState<SourceChoice | null>(() => ({ kind: 'tracked', path: side.path, version: { kind: 'worktree' } }));
  const [group, setGroup] = useState(tensor?.group ?? address?.name ?? '');
  const [allowChange, setAllowChange] = useState(false);
  const [error, setError] = useState<CheckpointError | null>(null);
  const close = () => graphEdit.getState().ask(null);
  if (tensor === undefined || address === null) return null;
  const isNpy = choice?.kind === 'file' && /\.npy$/i.test(choice.path);
  const isReady = kind === 'constant' ? text.trim() !== '' : isComplete(choice) && (isNpy || group !== '');
  const start = async () => {
    if (!isReady) return;
    setError(null);
    try {
      let value: ValueSource = { kind: 'constant', text: text.trim() };
      if (kind === 'side') {
        const found = isComplete(choice) ? await find(choice, new AbortController().signal) : null;
        if (found === null) return;
        value = { kind: 'side', side: found, group: isNpy ? null : group };
      }
      graphEdit.getState().startReview({ kind: 'set-value', address, value, allowChange });
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    }
  };
  return (
    <Dialog
      open
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
        <fieldset className={styles.choices}>
          <legend>New value</legend>
          <label className={styles.choice}>
            <input type="radio" name={name} checked={kind === 'constant'} onChange={() => setKind('constant')} />
            The same number everywhere
          </label>
          <label className={styles.choice}>
            <input type="radio" name={name} checked={kind === 'side'} onChange={() => setKind('side')} />A parameter group of a checkpoint, or an .npy file
          </label>
        </fieldset>
        {kind === 'constant' ? (
          <TextField label="Number" mono value={text} onChange={setText} hint="Such as -1.5e-3, nan, inf or true." />
        ) : (
          <>
            <SourceFields repository={repository} paths={paths} value={choice} onChange={setChoice} purpose="A value from a file" />
            {isNpy ? null : <GroupField choice={choice} value={group} onChange={setGroup} />}
          </>
        )}
        <Checkbox label="Allow another type or shape" checked={allowChange} onChange={setAllowChange} />
        {error === null ? null : <ErrorNotice title="The checkpoint could not be found" error={error} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface GroupFieldProps {
  readonly choice: SourceChoice | null;
  readonly value: string;
  readonly onChange: (group: string) => void;
}

interface Groups {
  readonly names: readonly { readonly name: string; readonly text: string }[];
  readonly error: CheckpointError | null;
}

const PAUSE_MS = 250;

/** A group of the checkpoint, with all of them as suggestions. */
function GroupField({ choice, value, onChange }: GroupFieldProps) {
  const client = useClient();
  const find = useSource();
  const list = useId();
  const [groups, setGroups] = useState<Groups | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the checkpoint alone decides
  useEffect(() => {
    setGroups(null);
    if (!isComplete(choice)) return;
    const controller = new AbortController();
    const load = async () => {
      try {
        const side = await find(choice, controller.signal);
        if (side === null) return;
        const { groups: found } = await client.request('compare/open', { a: side, b: side }, { signal: controller.signal });
        const names = found.flatMap(({ b }) => (b === null ? [] : [{ name: b.name, text: `${b.dtype} ${formatShape(b.shape)}` }]));
        if (!controller.signal.aborted) setGroups({ names, error: null });
      } catch (thrown) {
        if (!controller.signal.aborted) setGroups({ names: [], error: CheckpointError.from(thrown) });
      }
    };
    const timer = setTimeout(() => void load(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [JSON.stringify(choice), client]);
  if (groups === null) return isComplete(choice) ? <Skeleton height="52px" /> : null;
  if (groups.error !== null) return <ErrorNotice title="The checkpoint could not be opened" error={groups.error} />;
  const known = groups.names.find(({ name }) => name === value);
  return (
    <>
      <TextField
        label="Parameter group"
        mono
        list={list}
        value={value}
        onChange={onChange}
        hint={known?.text ?? ''}
        error={value === '' || known !== undefined ? null : 'The checkpoint has no group of this name.'}
      />
      <datalist id={list}>
        {groups.names.slice(0, 2000).map(({ name, text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </datalist>
    </>
  );
}
