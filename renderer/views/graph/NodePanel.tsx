import { formatCount } from '../../../shared/base/formatBytes';
import type { NodeDetail } from '../../../shared/model/graph';
import { shortCount } from '../../../shared/model/graphBoxes';
import { initializersOf } from '../../charts/graphOverlay';
import { inputsOf, outputsOf } from '../../charts/graphScene';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Skeleton } from '../../components/Skeleton';
import { latest } from '../../state/loadable';
import { useStore, useStores } from '../../state/storesContext';
import { Findings } from './Findings';
import styles from './GraphPanel.module.css';
import { graphText } from './graphText';
import { Facts, PanelFrame, PanelSection } from './PanelParts';
import { Ports } from './Ports';
import type { PanelProps } from './panelProps';
import { Tensors } from './Tensors';
import { useFollow } from './useFollow';

/** An operator: what it does, with which attributes, what goes in and out, and its weights. */
export function NodePanel({ node, ...props }: PanelProps & { readonly node: number }) {
  const { view } = props;
  const { graph } = useStores();
  const detail = useStore(graph, (state) => state.detail);
  const follow = useFollow(view);
  const known = latest(detail);
  const operator = view.operators[view.nodes.operator[node] ?? -1] ?? 'Operator';
  const documentation = known?.node === node ? known.documentation : null;
  return (
    <PanelFrame label="Operator" title={operator} name={view.nodes.names[node] ?? ''} onClose={() => graph.getState().select(null)}>
      <div className={styles.section}>
        {documentation === null ? null : <p className={styles.text}>{documentation.summary}</p>}
        <NodeFacts view={view} node={node} />
      </div>
      <Findings view={view} findings={view.findings.filter((finding) => finding.node === node)} />
      <Ports
        title="Inputs"
        view={view}
        values={[...inputsOf(view, node)]}
        names={documentation?.inputs ?? []}
        hint="Go to what makes it"
        onPress={(value) => follow(value, true)}
      />
      <Ports
        title="Outputs"
        view={view}
        values={[...outputsOf(view, node)]}
        names={documentation?.outputs ?? []}
        hint="Go to what reads it"
        onPress={(value) => follow(value, false)}
      />
      {detail.kind === 'failed' ? (
        <ErrorNotice
          title="The attributes could not be read"
          error={detail.error}
          action={<Button onClick={() => graph.getState().readAgain()}>Try again</Button>}
        />
      ) : known === undefined ? (
        <Skeleton height="60px" />
      ) : (
        <Attributes detail={known} />
      )}
      <Tensors {...props} initializers={initializersOf(view, node)} />
      {known === undefined ? null : <Rest detail={known} text={graphText(view, [node])} />}
    </PanelFrame>
  );
}

function NodeFacts({ view, node }: { readonly view: PanelProps['view']; readonly node: number }) {
  const flops = view.nodes.flops[node] ?? Number.NaN;
  const parameters = view.nodes.parameters[node] ?? 0;
  const group = view.groups[view.nodes.group[node] ?? 0];
  const scope = view.scopes[view.nodes.scope[node] ?? 0];
  return (
    <Facts
      facts={[
        { name: 'Module', value: group === undefined || group.path === '' ? '' : group.path, isMono: true },
        scope === undefined || scope.kind === 'main' ? null : { name: scope.kind === 'function' ? 'Function' : 'Inside', value: scope.path, isMono: true },
        { name: 'Position', value: `#${view.nodes.index[node] ?? 0} in its graph` },
        parameters === 0 ? null : { name: 'Parameters', value: <span title={formatCount(parameters)}>{shortCount(parameters)}</span> },
        { name: 'FLOPs', value: Number.isNaN(flops) ? 'not known' : <span title={formatCount(flops)}>{shortCount(flops)}</span> },
      ]}
    />
  );
}

function Attributes({ detail }: { readonly detail: NodeDetail }) {
  if (detail.attributes.length === 0) return null;
  const text = () => detail.attributes.map(({ name, text: value }) => `${name}\t${value}`).join('\n');
  return (
    <PanelSection title="Attributes" count={String(detail.attributes.length)} action={<CopyButton label="Copy attributes" text={text} />}>
      <Facts
        facts={detail.attributes.map(({ name, text: value, type }) => ({ name, isMono: true, value: <bdi title={type}>{value === '' ? '""' : value}</bdi> }))}
      />
    </PanelSection>
  );
}

/** What the file says besides. */
function Rest({ detail, text }: { readonly detail: NodeDetail; readonly text: string }) {
  return (
    <>
      {detail.doc === '' ? null : (
        <PanelSection title="Note in the file">
          <p className={styles.text}>{detail.doc}</p>
        </PanelSection>
      )}
      {detail.metadata.length === 0 ? null : (
        <PanelSection title="Metadata" count={String(detail.metadata.length)}>
          <Facts facts={detail.metadata.map(({ key, value }) => ({ name: key, value, isMono: true }))} />
        </PanelSection>
      )}
      {detail.unknownFields.length === 0 ? null : (
        <PanelSection title="Unknown fields">
          <p className={styles.text}>Fields {detail.unknownFields.join(', ')} of the operator are not known to this program. They are kept as they are.</p>
        </PanelSection>
      )}
      <PanelSection title="As text" action={<CopyButton label="Copy operator as text" text={text} />}>
        <p className={styles.text}>
          <bdi className={styles.mono}>{text.trim().split('\n').at(-1)}</bdi>
        </p>
      </PanelSection>
    </>
  );
}
