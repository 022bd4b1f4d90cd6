import { formatBytes, formatCount } from '../../../shared/base/formatBytes';
import type { GraphView } from '../../../shared/model/graph';
import { shortCount } from '../../../shared/model/graphBoxes';
import { CopyButton } from '../../components/CopyButton';
import { useStores } from '../../state/storesContext';
import { Findings } from './Findings';
import styles from './GraphPanel.module.css';
import { Facts, PanelFrame, PanelSection } from './PanelParts';

/** The model itself: its versions, its inputs and outputs, what is wrong with it. */
export function ModelPanel({ view }: { readonly view: GraphView }) {
  const { graph } = useStores();
  const { model, groups, initializers, nodes } = view;
  const [whole] = groups;
  const bytes = initializers.reduce((sum, tensor) => sum + tensor.bytes, 0);
  const functions = view.scopes.filter(({ kind }) => kind === 'function').length;
  return (
    <PanelFrame label="Model" title={model.name === '' ? 'Model' : model.name} name="">
      <div className={styles.section}>
        <Facts
          facts={[
            { name: 'IR version', value: String(model.irVersion) },
            { name: 'Opsets', value: model.opsets.map(({ domain, version }) => `${domain === '' ? 'ai.onnx' : domain} ${version}`).join(', ') },
            { name: 'Producer', value: model.producer },
            { name: 'Operators', value: formatCount(nodes.names.length) },
            { name: 'Initializers', value: `${formatCount(initializers.length)}, ${formatBytes(bytes)}` },
            { name: 'Parameters', value: whole === undefined ? '' : <span title={formatCount(whole.parameters)}>{shortCount(whole.parameters)}</span> },
            {
              name: 'FLOPs',
              value: whole === undefined || whole.flops === null ? 'not known' : <span title={formatCount(whole.flops)}>{shortCount(whole.flops)}</span>,
            },
            functions === 0 ? null : { name: 'Functions', value: formatCount(functions) },
          ]}
        />
        {model.doc === '' ? null : <p className={styles.text}>{model.doc}</p>}
      </div>
      <Findings view={view} findings={view.findings} />
      <Values title="Inputs" view={view} bit={1} onPress={(value) => graph.getState().goTo({ kind: 'value', ref: value })} />
      <Values title="Outputs" view={view} bit={2} onPress={(value) => graph.getState().goTo({ kind: 'value', ref: value })} />
      {model.metadata.length === 0 ? null : (
        <PanelSection
          title="Metadata"
          count={formatCount(model.metadata.length)}
          action={<CopyButton label="Copy metadata" text={() => model.metadata.map(({ key, value }) => `${key}\t${value}`).join('\n')} />}
        >
          <Facts facts={model.metadata.map(({ key, value }) => ({ name: key, value, isMono: true }))} />
        </PanelSection>
      )}
    </PanelFrame>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly view: GraphView;
  /** Bit of `values.role`. */
  readonly bit: number;
  readonly onPress: (value: number) => void;
}

/** Inputs or outputs of the main graph. */
function Values({ title, view, bit, onPress }: ValuesProps) {
  const values: number[] = [];
  view.values.role.forEach((bits, value) => {
    if ((bits & bit) !== 0 && view.scopes[view.values.scope[value] ?? 0]?.kind === 'main') values.push(value);
  });
  if (values.length === 0) return null;
  return (
    <PanelSection title={title} count={formatCount(values.length)}>
      {values.map((value) => (
        <button key={value} type="button" className={styles.port} onClick={() => onPress(value)}>
          <bdi>{view.values.names[value] || '(no name)'}</bdi>
          <span className={styles.quiet}>{view.values.types[value] || 'type not known'}</span>
        </button>
      ))}
    </PanelSection>
  );
}
