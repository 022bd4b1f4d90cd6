import { formatBytes } from '../../../shared/base/formatBytes';
import type { CommitHash } from '../../../shared/model/commit';
import { CommitLink } from '../../components/CommitLink';
import { UpdateGlyph } from '../../components/UpdateGlyph';
import type { Inspection } from '../../state/parameterStore';
import styles from './UpdateChainList.module.css';

interface UpdateChainListProps {
  readonly chain: Inspection['chain'];
  readonly onGoTo: (commit: CommitHash) => void;
}

/** The stored entries that give the value, from the self-contained base to the version's own. */
export function UpdateChainList({ chain, onGoTo }: UpdateChainListProps) {
  const total = chain.reduce((sum, step) => sum + step.storedBytes, 0);
  return (
    <section aria-label="Update chain">
      <div className={styles.head}>
        <h3>{chain.length > 1 ? `Reconstructed from ${chain.length} updates` : 'Stored in one piece'}</h3>
        <span className={styles.total}>{formatBytes(total)} read</span>
      </div>
      <ol className={styles.chain}>
        {chain.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the chain of a version never changes, and an object may occur in it twice
          <li key={index} className={styles.step}>
            <span className={styles.place}>{index + 1}</span>
            <span className={styles.kind}>{step.updateType === null ? 'Plain file' : <UpdateGlyph kind={step.updateType} showLabel />}</span>
            <Commit commit={step.commit} onGoTo={onGoTo} />
            {step.oid === null ? <span className={styles.noObject} /> : <code title={`Object ${step.oid}`}>{step.oid.slice(0, 10)}</code>}
            <span className={styles.bytes}>{formatBytes(step.storedBytes)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Commit({ commit, onGoTo }: { readonly commit: CommitHash | null; readonly onGoTo: (commit: CommitHash) => void }) {
  return commit === null ? <span className={styles.gone}>–</span> : <CommitLink commit={commit} onGoTo={onGoTo} />;
}
