import { useEffect, useId, useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { ValueSource } from '../../../shared/model/graphEdit';
import { formatShape } from '../../../shared/model/shape';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Skeleton } from '../../components/Skeleton';
import { TextField } from '../../components/TextField';
import { useClient } from '../../state/storesContext';
import styles from './EditDialogs.module.css';
import { SourceFields } from './SourceFields';
import type { SourceChoice } from './sourceChoice';
import { isComplete, useSource } from './useSource';

/** Where a value comes from, as far as it is said. */
export interface ValueChoice {
  readonly kind: 'constant' | 'side';
  readonly text: string;
  readonly choice: SourceChoice | null;
  readonly group: string;
}

interface ValueFieldsProps {
  readonly repository: RepositoryDescription;
  readonly paths: readonly string[];
  readonly value: ValueChoice;
  readonly onChange: (value: ValueChoice) => void;
  /** What a number is here: `The same number everywhere`. */
  readonly numberLabel: string;
}

/** A number, or a group of a version, a checkpoint or a file. */
export function ValueFields({ repository, paths, value, onChange, numberLabel }: ValueFieldsProps) {
  const name = useId();
  const { kind, text, choice, group } = value;
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>Value</legend>
        <label className={styles.choice}>
          <input type="radio" name={name} checked={kind === 'constant'} onChange={() => onChange({ ...value, kind: 'constant' })} />
          {numberLabel}
        </label>
        <label className={styles.choice}>
          <input type="radio" name={name} checked={kind === 'side'} onChange={() => onChange({ ...value, kind: 'side' })} />A parameter group of a checkpoint,
          or an .npy file
        </label>
      </fieldset>
      {kind === 'constant' ? (
        <TextField label="Number" mono value={text} onChange={(next) => onChange({ ...value, text: next })} hint="Such as -1.5e-3, nan, inf or true." />
      ) : (
        <>
          <SourceFields
            repository={repository}
            paths={paths}
            value={choice}
            onChange={(next) => onChange({ ...value, choice: next })}
            purpose="A value from a file"
          />
          {isNpy(choice) ? null : <GroupField choice={choice} value={group} onChange={(next) => onChange({ ...value, group: next })} />}
        </>
      )}
    </>
  );
}

/** Whether enough is said to look for the value. */
export function isValueReady({ kind, text, choice, group }: ValueChoice): boolean {
  return kind === 'constant' ? text.trim() !== '' : isComplete(choice) && (isNpy(choice) || group !== '');
}

/** Finds what a choice means now; `null` when it means nothing any more. @throws CheckpointError `not-found` for a revision that names no commit */
export function useValueSource(): (value: ValueChoice) => Promise<ValueSource | null> {
  const find = useSource();
  return async ({ kind, text, choice, group }) => {
    if (kind === 'constant') return { kind: 'constant', text: text.trim() };
    const side = isComplete(choice) ? await find(choice, new AbortController().signal) : null;
    return side === null ? null : { kind: 'side', side, group: isNpy(choice) ? null : group };
  };
}

function isNpy(choice: SourceChoice | null): boolean {
  return choice?.kind === 'file' && /\.npy$/i.test(choice.path);
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
