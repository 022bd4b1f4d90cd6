import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { knownCheck } from '../../state/graphEditStore';
import { useStore, useStores } from '../../state/storesContext';
import styles from './NamesPanel.module.css';

/** What stands against the draft, and the way on. */
export function NamesFoot({ selected, line }: { readonly selected: ReadonlySet<string>; readonly line: string }) {
  const { graphEdit } = useStores();
  const draft = useStore(graphEdit, (state) => state.draft);
  const checked = useStore(graphEdit, (state) => state.check);
  const { problems, general } = knownCheck(checked);
  const count = draft.size;
  const against = problems.size + general.length;
  const words =
    count === 0
      ? 'No new names yet. F2 writes one.'
      : checked.kind === 'failed'
        ? `The new names could not be checked: ${checked.error.message}`
        : checked.kind === 'loading'
          ? 'Checking…'
          : against === 0
            ? 'No conflicts.'
            : general.length > 0
              ? (general[0] ?? '')
              : `${formatCount(problems.size)} ${problems.size === 1 ? 'conflict' : 'conflicts'}.`;
  return (
    <div className={styles.foot}>
      <span role="status" className={against > 0 ? styles.problem : styles.quiet}>
        {words}
      </span>
      <span className={styles.line} title={line}>
        {line}
      </span>
      {selected.size === 0 ? null : <span className={styles.quiet}>{formatCount(selected.size)} selected</span>}
      {count === 0 ? null : (
        <Button look="quiet" onClick={() => graphEdit.getState().dropNames([...draft.keys()])}>
          Clear all new names
        </Button>
      )}
      <Button look="primary" disabled={count === 0} onClick={() => graphEdit.getState().reviewDraft()}>
        {count === 0 ? 'Review…' : `Review ${formatCount(count)} new ${count === 1 ? 'name' : 'names'}…`}
      </Button>
    </div>
  );
}
