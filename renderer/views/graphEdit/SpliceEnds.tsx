import { useId } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { TextField } from '../../components/TextField';
import styles from './EditDialogs.module.css';

/** A value of the other model, and the value here that it is joined with; empty when with none. */
export interface EndPair {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

interface SpliceEndsProps {
  readonly title: string;
  readonly pairs: readonly EndPair[];
  readonly here: GraphView;
  readonly names: ReadonlyMap<string, number>;
  readonly onChange: (from: string, to: string) => void;
  readonly empty: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

const MOST_SUGGESTED = 2000;
/** A piece that takes more is no layer. */
const MOST_SHOWN = 200;

/** What each value of a piece is in this model, with all values of the main graph as suggestions. */
export function SpliceEnds({ title, pairs, here, names, onChange, empty, hint, isRequired = false }: SpliceEndsProps) {
  const list = useId();
  return (
    <fieldset className={styles.choices}>
      <legend>{title}</legend>
      {pairs.length === 0 ? <p className={styles.quiet}>{empty}</p> : null}
      {pairs.length > 0 && hint !== undefined ? <p className={styles.quiet}>{hint}</p> : null}
      {pairs.slice(0, MOST_SHOWN).map(({ from, type, to }) => {
        const known = names.get(to);
        const error =
          to === ''
            ? isRequired
              ? 'Say which value of this model it takes.'
              : null
            : known === undefined
              ? 'There is no value of this name in the main graph.'
              : null;
        return (
          <TextField
            key={from}
            label={type === '' ? from : `${from} · ${type}`}
            mono
            list={list}
            value={to}
            onChange={(next) => onChange(from, next)}
            hint={known === undefined ? '' : (here.values.types[known] ?? '')}
            error={error}
          />
        );
      })}
      {pairs.length > MOST_SHOWN ? <p className={styles.quiet}>and {formatCount(pairs.length - MOST_SHOWN)} more, as proposed</p> : null}
      <datalist id={list}>
        {[...names.keys()].slice(0, MOST_SUGGESTED).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </fieldset>
  );
}
