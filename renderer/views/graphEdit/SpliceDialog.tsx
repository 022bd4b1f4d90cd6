import { useId, useMemo, useState } from 'react';
import type { RepositoryDescription } from '../../../shared/contract/requests';
import type { GraphView } from '../../../shared/model/graph';
import type { Side } from '../../../shared/model/side';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Skeleton } from '../../components/Skeleton';
import { TextField } from '../../components/TextField';
import { latest } from '../../state/loadable';
import { addressesOf, endsOf, likelyValue, type Piece, piecesOf, valuesByName } from '../../state/splicePiece';
import { useStores } from '../../state/storesContext';
import { EditForm } from './EditForm';
import { SourceFields } from './SourceFields';
import { SpliceEnds } from './SpliceEnds';
import { type SourceChoice, sourcePaths } from './sourceChoice';
import { type OtherModel, useOtherModel } from './useOtherModel';

interface SpliceDialogProps {
  readonly open: boolean;
  readonly view: GraphView;
  readonly repository: RepositoryDescription;
  readonly side: Side;
  /** Path of a module here whose like is looked for first. */
  readonly like: string;
}

const MOST_SUGGESTED = 2000;

/** Takes a module or a node of another model, with its initializers, into this one: what it takes and who uses what it gives is proposed by names and types. */
export function SpliceDialog({ open, view, repository, side, like }: SpliceDialogProps) {
  const { graphEdit } = useStores();
  const list = useId();
  // Another version of this very model is the likeliest.
  const paths = [side.path, ...sourcePaths({ checkpoints: repository.checkpoints.filter(({ format }) => format === 'onnx') }, side.path)];
  const [choice, setChoice] = useState<SourceChoice | null>(() => ({ kind: 'tracked', path: side.path, version: { kind: 'worktree' } }));
  const model = useOtherModel(choice);
  const other = latest(model);
  const pieces = useMemo(() => (other === undefined ? new Map<string, Piece>() : piecesOf(other.view)), [other]);
  const [name, setName] = useState(like);
  const piece = pieces.get(name);
  const [changed, setChanged] = useState<ReadonlyMap<string, string>>(new Map());
  const names = useMemo(() => valuesByName(view), [view]);
  const pairs = useMemo(() => (other === undefined || piece === undefined ? null : pairsOf(view, names, { other, piece })), [view, names, other, piece]);
  const chosen = (kind: 'in' | 'out', from: string, likely: string) => changed.get(`${kind} ${from}`) ?? likely;
  const inputs = (pairs?.inputs ?? []).map((pair) => ({ ...pair, to: chosen('in', pair.from, pair.to) }));
  const outputs = (pairs?.outputs ?? []).map((pair) => ({ ...pair, to: chosen('out', pair.from, pair.to) }));
  const isReady = pairs !== null && inputs.every(({ to }) => names.has(to)) && outputs.every(({ to }) => to === '' || names.has(to));
  const start = () => {
    if (!isReady || other === undefined || piece === undefined) return;
    graphEdit.getState().startReview({
      kind: 'splice',
      from: other.side,
      nodes: addressesOf(other.view, piece.nodes),
      connect: inputs.map(({ from, to }) => ({ from, to })),
      replace: outputs.flatMap(({ from, to }) => (to === '' ? [] : [{ output: from, value: to }])),
    });
  };
  const change = (kind: 'in' | 'out') => (from: string, to: string) => setChanged(new Map(changed).set(`${kind} ${from}`, to));
  return (
    <EditForm
      open={open}
      title="Add nodes of another model"
      description="A module or a node comes with its initializers and constants; names that are taken here get a number."
      size="large"
      isReady={isReady}
      onReview={start}
    >
      <SourceFields repository={repository} paths={paths} value={choice} onChange={setChoice} purpose="Nodes of a model" />
      {model.kind === 'failed' ? <ErrorNotice title="The model could not be opened" error={model.error} /> : null}
      {model.kind === 'loading' ? <Skeleton height="52px" /> : null}
      {other === undefined ? null : (
        <>
          <TextField
            label="Module or node"
            mono
            list={list}
            value={name}
            onChange={(next) => {
              setName(next);
              setChanged(new Map());
            }}
            placeholder="encoder/layers.11"
            hint={piece?.words ?? ''}
            error={name === '' || piece !== undefined ? null : 'The model has no module or node of this name in its main graph.'}
          />
          <datalist id={list}>
            {[...pieces.values()].slice(0, MOST_SUGGESTED).map((each) => (
              <option key={each.name} value={each.name}>
                {each.words}
              </option>
            ))}
          </datalist>
        </>
      )}
      {pairs === null ? null : (
        <>
          <SpliceEnds title="It takes" pairs={inputs} here={view} names={names} onChange={change('in')} empty="It takes no values of the graph." isRequired />
          <SpliceEnds
            title="It gives"
            pairs={outputs}
            here={view}
            names={names}
            onChange={change('out')}
            empty="Nothing uses what it gives."
            hint="Whoever uses the value named here takes what the new nodes give instead. Empty: nobody does yet."
          />
        </>
      )}
    </EditForm>
  );
}

function pairsOf(view: GraphView, names: ReadonlyMap<string, number>, { other, piece }: { readonly other: OtherModel; readonly piece: Piece }) {
  const { inputs, outputs } = endsOf(other.view, piece.nodes);
  const pair = (value: number) => ({
    from: other.view.values.names[value] ?? '',
    type: other.view.values.types[value] ?? '',
    to: likelyValue(view, names, { view: other.view, value }),
  });
  // What a piece gives is led to nobody by its type alone: that is a wish, not a guess.
  const sameName = (value: number) => ({ ...pair(value), to: names.has(other.view.values.names[value] ?? '') ? (other.view.values.names[value] ?? '') : '' });
  return { inputs: inputs.map(pair), outputs: outputs.map(sameName) };
}
