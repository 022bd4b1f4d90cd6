import { useRef, useState } from 'react';
import { formatCount } from '../../../shared/base/formatBytes';
import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { inputsOf, outputsOf, ValueReaders } from '../../charts/graphScene';
import { Button } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { Dialog } from '../../components/Dialog';
import { addressesOf } from '../../state/splicePiece';
import { useStores } from '../../state/storesContext';
import styles from './EditDialogs.module.css';

interface RemoveNodesDialogProps {
  readonly open: boolean;
  readonly view: GraphView;
  readonly nodes: readonly number[];
  /** Path of the module that the nodes are; `''` when they are none. */
  readonly module: string;
}

const LISTED = 200;

/** Takes nodes out of the graph; who uses their outputs is listed first. */
export function RemoveNodesDialog({ open, view, nodes, module }: RemoveNodesDialogProps) {
  const { graphEdit } = useStores();
  const [bypass, setBypass] = useState(false);
  const review = useRef<HTMLButtonElement>(null);
  const close = () => graphEdit.getState().ask(null);
  const consumers = consumersOf(view, nodes);
  const [only] = nodes;
  const count = `${formatCount(nodes.length)} ${nodes.length === 1 ? 'node' : 'nodes'}`;
  const title =
    module !== ''
      ? `Remove module ${module} with its ${count}`
      : nodes.length === 1 && only !== undefined
        ? `Remove ${wordsOf(view, only)}`
        : `Remove ${count}`;
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      initialFocus={review}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            ref={review}
            look="primary"
            onClick={() =>
              graphEdit.getState().startReview({
                kind: 'remove-nodes',
                bypass,
                nodes: addressesOf(view, nodes),
              })
            }
          >
            Review…
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        {consumers.length === 0 ? (
          <p>Nothing else in the graph uses what {nodes.length === 1 ? 'it makes' : 'they make'}.</p>
        ) : (
          <>
            <p>
              {formatCount(consumers.length)} {consumers.length === 1 ? 'place uses' : 'places use'} what {nodes.length === 1 ? 'it makes' : 'they make'}:
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <ul className={styles.losses} aria-label="Consumers" tabIndex={0}>
              {consumers.slice(0, LISTED).map((text) => (
                <li key={text}>
                  <bdi>{text}</bdi>
                </li>
              ))}
              {consumers.length > LISTED ? <li>and {formatCount(consumers.length - LISTED)} more</li> : null}
            </ul>
          </>
        )}
        <Checkbox label="Lead around: consumers take the input instead, where types agree" checked={bypass} onChange={setBypass} />
      </div>
    </Dialog>
  );
}

/** Nodes and outputs of the graph that use what some nodes make, in words, each once. */
function consumersOf(view: GraphView, nodes: readonly number[]): readonly string[] {
  const readers = new ValueReaders(view);
  const inside = new Set(nodes);
  const found = new Set<string>();
  for (const node of nodes) {
    for (const value of outputsOf(view, node)) {
      if (value === NO_VALUE) continue;
      if (((view.values.role[value] ?? 0) & 2) !== 0) found.add(`output ${view.values.names[value] ?? ''} of the graph`);
      for (const reader of readers.of(value)) {
        if (inside.has(reader)) continue;
        const input = [...inputsOf(view, reader)].indexOf(value);
        found.add(`${wordsOf(view, reader)}, input ${input}`);
      }
    }
  }
  return [...found];
}

function wordsOf({ nodes, operators }: GraphView, node: number): string {
  const name = nodes.names[node] ?? '';
  return `${operators[nodes.operator[node] ?? -1] ?? 'node'} ${name === '' ? `number ${nodes.index[node] ?? ''}` : name}`;
}
