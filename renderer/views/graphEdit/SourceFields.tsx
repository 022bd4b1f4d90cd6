import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { CheckpointError } from '../../../shared/contract/errors';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import { Button } from '../../components/Button';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Select } from '../../components/Select';
import { TextField } from '../../components/TextField';
import { useClient, useStores } from '../../state/storesContext';
import { fileName } from '../../state/trackForm';
import styles from './EditDialogs.module.css';
import type { SourceChoice, VersionChoice } from './sourceChoice';

interface SourceFieldsProps {
  readonly repository: RepositoryDescription;
  readonly paths: readonly string[];
  readonly value: SourceChoice | null;
  readonly onChange: (choice: SourceChoice) => void;
  /** What is done with the file: title of the picker. */
  readonly purpose: string;
}

/** A checkpoint: one of the repository at some version, or a file. */
export function SourceFields({ repository, paths, value, onChange, purpose }: SourceFieldsProps) {
  const client = useClient();
  const { picker } = useStores();
  const [error, setError] = useState<CheckpointError | null>(null);
  const pick = async () => {
    setError(null);
    try {
      const picked = await picker.getState().pickFiles({
        title: purpose,
        description: 'A checkpoint file of the machine where the repository is, or of this computer.',
        action: 'Choose',
        several: false,
      });
      const [path] = picked?.paths ?? [];
      const [file] = picked?.files ?? [];
      if (path !== undefined) onChange({ kind: 'file', path });
      else if (file !== undefined) onChange({ kind: 'file', path: await client.hostPathFor(file) });
    } catch (thrown) {
      setError(CheckpointError.from(thrown));
    }
  };
  const listed = paths.map((path) => ({ value: path, label: path }));
  const options = value?.kind === 'file' ? [{ value: value.path, label: `${fileName(value.path)} (file)` }, ...listed] : listed;
  return (
    <>
      <div className={styles.pair}>
        {options.length === 0 ? (
          <p className={styles.quiet}>There is no other checkpoint in the repository.</p>
        ) : (
          <Select
            label="Checkpoint"
            value={value?.path ?? ''}
            options={options}
            onChange={(path) =>
              onChange(
                value?.kind === 'file' && path === value.path
                  ? value
                  : { kind: 'tracked', path, version: value?.kind === 'tracked' ? value.version : { kind: 'same' } },
              )
            }
          />
        )}
        <Button icon={<FolderOpen size={14} />} onClick={() => void pick()}>
          A file…
        </Button>
      </div>
      {value?.kind === 'tracked' ? (
        <VersionFields repository={repository} value={value.version} onChange={(version) => onChange({ ...value, version })} />
      ) : null}
      {value?.kind === 'file' ? <bdi className={styles.name}>{value.path}</bdi> : null}
      {error === null ? null : <ErrorNotice title="The file could not be taken" error={error} />}
    </>
  );
}

interface VersionFieldsProps {
  readonly repository: RepositoryDescription;
  readonly value: VersionChoice;
  readonly onChange: (version: VersionChoice) => void;
}

const [SAME, WORKTREE, OTHER] = ['same', 'worktree', 'other'] as const;

function VersionFields({ repository, value, onChange }: VersionFieldsProps) {
  const refs = repository.refs
    .filter(({ kind }) => kind !== 'remote-branch')
    .map(({ kind, name }) => ({ value: `ref:${name}`, label: kind === 'tag' ? `Tag ${name}` : `Branch ${name}` }));
  const options = [
    { value: SAME as string, label: 'The same as the graph' },
    ...(repository.bare ? [] : [{ value: WORKTREE as string, label: 'Working tree' }]),
    ...refs,
    { value: OTHER as string, label: 'Another revision' },
  ];
  const shown = value.kind === 'revision' ? (refs.some((ref) => ref.value === `ref:${value.revision}`) ? `ref:${value.revision}` : OTHER) : value.kind;
  const choose = (next: string) => {
    if (next === SAME || next === WORKTREE) onChange({ kind: next });
    else onChange({ kind: 'revision', revision: next === OTHER ? '' : next.slice('ref:'.length) });
  };
  return (
    <>
      <Select label="Version" value={shown} options={options} onChange={choose} />
      {shown === OTHER && value.kind === 'revision' ? (
        <TextField
          label="Revision"
          mono
          placeholder="HEAD~2, or a hash"
          value={value.revision}
          onChange={(revision) => onChange({ kind: 'revision', revision })}
        />
      ) : null}
    </>
  );
}
