import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import type { GraphFinding, GraphView } from '../../../shared/model/graph';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { useStores } from '../../state/storesContext';
import styles from './GraphPanel.module.css';
import { PanelSection } from './PanelParts';

const FIRST = 20;

/** What the checker found; one that concerns an operator leads to it. */
export function Findings({ view, findings }: { readonly view: GraphView; readonly findings: readonly GraphFinding[] }) {
  const { graph } = useStores();
  const [isAll, setIsAll] = useState(false);
  if (findings.length === 0) return null;
  const text = () => findings.map((finding) => `${finding.severity}\t${finding.text}`).join('\n');
  return (
    <PanelSection title="Findings" count={formatCount(findings.length)} action={<CopyButton label="Copy findings" text={text} />}>
      <ul>
        {(isAll ? findings : findings.slice(0, FIRST)).map((finding) => {
          const { node } = finding;
          return (
            <li key={`${finding.scope}:${node}:${finding.text}`} className={styles.finding}>
              {finding.severity === 'error' ? (
                <CircleAlert size={14} className={styles.error} aria-label="Error" />
              ) : (
                <TriangleAlert size={14} className={styles.warning} aria-label="Warning" />
              )}
              {node === null || view.nodes.names[node] === undefined ? (
                <bdi>{finding.text}</bdi>
              ) : (
                <button type="button" className={styles.jump} onClick={() => graph.getState().goTo({ kind: 'node', ref: node })}>
                  <bdi>{finding.text}</bdi>
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {isAll || findings.length <= FIRST ? null : (
        <Button look="quiet" onClick={() => setIsAll(true)}>
          Show all {formatCount(findings.length)}
        </Button>
      )}
    </PanelSection>
  );
}
