import { ListChecks, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { Button } from '../../components/Button';
import { ErrorNotice } from '../../components/ErrorNotice';
import { ProgressBar } from '../../components/ProgressBar';
import type { ProposalRun } from '../../state/graphEditStore';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import styles from './NamesPanel.module.css';
import { openProposals } from './nameRows';

function AcceptButtons({ selected }: { readonly selected: ReadonlySet<string> }) {
  const { graphEdit } = useStores();
  const draft = useStore(graphEdit, (state) => state.draft);
  const proposals = useStore(graphEdit, (state) => state.proposals);
  const open = useMemo(() => openProposals({ draft, proposals }), [draft, proposals]);
  if (proposals.size === 0) return null;
  const chosen = open.filter((key) => selected.has(key));
  return (
    <>
      <Button icon={<ListChecks size={14} />} disabled={open.length === 0} onClick={() => graphEdit.getState().accept(null)}>
        Accept all
      </Button>
      {selected.size === 0 ? null : (
        <Button disabled={chosen.length === 0} onClick={() => graphEdit.getState().accept(chosen)}>
          Accept selected
        </Button>
      )}
    </>
  );
}

/** How far a search for names is, and what came of it. */
export function Proposing({ selected }: { readonly selected: ReadonlySet<string> }) {
  const { graphEdit } = useStores();
  const run = useStore(graphEdit, (state) => state.proposing);
  switch (run.kind) {
    case 'none':
      return null;
    case 'running':
      return (
        <div className={styles.strip}>
          <ProgressBar
            label={`Looking for names in ${run.from}`}
            progress={run.progress}
            startedAt={run.startedAt}
            onCancel={() => graphEdit.getState().cancelProposing()}
          />
        </div>
      );
    case 'failed':
      return (
        <div className={styles.strip}>
          <ErrorNotice
            bare
            title="No names could be proposed"
            error={run.error}
            action={<Button onClick={() => graphEdit.getState().dropProposals()}>Close</Button>}
          />
        </div>
      );
    case 'done':
      return <Proposed run={run} selected={selected} />;
  }
}

interface ProposedProps {
  readonly run: Extract<ProposalRun, { kind: 'done' }>;
  readonly selected: ReadonlySet<string>;
}

function Proposed({ run: { from, count }, selected }: ProposedProps) {
  const { graph, graphEdit } = useStores();
  const total = useStore(graph, (state) => latest(state.graph)?.view.initializers.length ?? 0);
  const rest = total - count;
  const names = `${formatCount(count)} ${count === 1 ? 'name' : 'names'} from ${from}`;
  const words = count === 0 ? `Nothing in ${from} gives another name.` : rest <= 0 ? `${names}.` : `${names}; the other ${formatCount(rest)} keep theirs.`;
  return (
    <div className={styles.strip}>
      <span role="status" className={styles.said}>
        {words}
      </span>
      <AcceptButtons selected={selected} />
      <Button look="quiet" onClick={() => graphEdit.getState().dropProposals()}>
        Close the proposals
      </Button>
    </div>
  );
}

/** What came of a file of names. */
export function Imported() {
  const { graphEdit } = useStores();
  const imported = useStore(graphEdit, (state) => state.imported);
  if (imported === null) return null;
  return (
    <div className={styles.strip}>
      <span role="status" className={styles.said}>
        {imported.isComplete ? null : <TriangleAlert size={14} aria-label="Warning" className={styles.warning} />}
        <bdi>{imported.text}</bdi>
      </span>
      <Button look="quiet" onClick={() => graphEdit.getState().sayImported(null)}>
        Close
      </Button>
    </div>
  );
}
