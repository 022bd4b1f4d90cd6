import { type FormEvent, useState } from 'react';
import type { CommitHash } from '../../../shared/model/commit';
import { CHANGE_QUANTITIES, parseCondition, VALUE_QUANTITIES } from '../../../shared/model/condition';
import { formatNumber } from '../../charts/formatNumber';
import { Button } from '../../components/Button';
import { CommitLink } from '../../components/CommitLink';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import { TextField } from '../../components/TextField';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './BisectPanel.module.css';
import type { StoryVersion } from './storyFacts';

interface BisectPanelProps {
  readonly versions: readonly StoryVersion[];
  readonly scope: 'head' | 'all';
  readonly onGoTo: (commit: CommitHash) => void;
}

/** Finds the first version at which a condition holds, with few reconstructions. */
export function BisectPanel({ versions, scope, onGoTo }: BisectPanelProps) {
  const { story } = useStores();
  const bisection = useStore(story, (state) => state.bisection);
  const [condition, setCondition] = useState('std > 1');
  const parsed = parseCondition(condition);
  const value = latest(bisection);
  const titleOf = (commit: CommitHash) => versions.find((version) => version.commit === commit)?.info.title ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof parsed !== 'string') story.getState().bisect(condition.trim(), scope);
  };
  return (
    <div className={styles.panel}>
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label="Condition"
          mono
          value={condition}
          onChange={setCondition}
          error={condition.trim() === '' || typeof parsed !== 'string' ? null : parsed}
          hint={`Quantities: ${[...VALUE_QUANTITIES, ...CHANGE_QUANTITIES].join(', ')}`}
          className={styles.field ?? ''}
        />
        <Button type="submit" disabled={typeof parsed === 'string' || bisection.kind === 'loading'}>
          Find the first version
        </Button>
      </form>
      {bisection.kind === 'loading' ? <ProgressBar label="Bisecting" progress={null} onCancel={() => story.getState().cancelBisection()} /> : null}
      {bisection.kind === 'failed' ? <ErrorNotice title="The versions could not be searched" error={bisection.error} /> : null}
      {value === undefined ? null : (
        <div role="status">
          <p className={styles.found}>
            {value.found === null ? (
              <>
                <code>{value.condition}</code> holds at no version that was looked at.
              </>
            ) : (
              <>
                <code>{value.condition}</code> holds first at <CommitLink commit={value.found} onGoTo={onGoTo} /> <bdi>{titleOf(value.found)}</bdi>
              </>
            )}
          </p>
          {value.note === null ? null : <p className={styles.note}>{value.note}</p>}
          <p className={styles.note}>
            {value.tested.length} of {versions.length} versions reconstructed:{' '}
            {value.tested
              .map(({ commit, value: number, holds }) => `${commit.slice(0, 8)} ${number === null ? '–' : formatNumber(number)} ${holds ? '✓' : '✗'}`)
              .join(', ')}
          </p>
        </div>
      )}
    </div>
  );
}
