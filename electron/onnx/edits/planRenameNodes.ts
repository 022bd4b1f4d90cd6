import type { NodeAddress } from '../../../shared/model/graphEdit';
import { encodeTextField } from '../../encodings/protobuf/encodeField';
import { decodeName, encodeName } from '../../encodings/protobuf/names';
import { KEPT_TEXT_BYTES } from '../../encodings/protobuf/skeleton';
import type { OnnxModel, OnnxNode } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { ScopeIndex, ScopeOwner } from '../scopes/scopeIndex';
import type { EditPlan } from './editPlan';
import { placeInGraph, placeOfGraph, placeOfNode, shownName } from './places';
import { finish, newDraft, type PlanDraft } from './planDraft';
import { appendTo, bytesPiece, renameSite } from './wireEdits';

/** A node and its new name. */
export type NodeRename = NodeAddress & { readonly to: string };

interface Move {
  readonly owner: ScopeOwner;
  readonly node: OnnxNode;
  readonly to: string;
}

/**
 * Gives nodes other names, or a name to those without one. Names of nodes are a namespace of their own in each graph: no value is touched.
 * A name that another node of the graph would have too is refused (ONNX Runtime does not load such a model); swaps are allowed.
 */
export function planRenameNodes(model: OnnxModel, renames: readonly NodeRename[], index: ScopeIndex = indexScopes(model)): EditPlan {
  const draft = newDraft('');
  const moves = collectMoves(index, renames, draft);
  const [first] = moves.values();
  draft.title = moves.size === 1 && first !== undefined ? `Name ${placeOfNode(first.node)} ${shownName(first.to)}` : `Name ${moves.size} nodes`;
  refuseDuplicates(moves, draft);
  for (const { owner, node, to } of [...moves.values()].sort((a, b) => a.node.frame.start - b.node.frame.start)) {
    draft.sites.push({ graph: owner.path, place: placeOfNode({ ...node, name: '' }), before: node.name, after: to });
    draft.edits.push(
      node.nameSite === null ? appendTo(node.frame, [bytesPiece(encodeTextField(3, to))]) : renameSite({ text: node.name, site: node.nameSite }, to),
    );
  }
  return finish(draft);
}

function collectMoves(index: ScopeIndex, renames: readonly NodeRename[], draft: PlanDraft): ReadonlyMap<OnnxNode, Move> {
  const moves = new Map<OnnxNode, Move>();
  for (const { graph, index: at, to } of renames) {
    const [owner, ...others] = index.ownersAt(graph);
    const node = owner?.nodes[at];
    if (owner === undefined) draft.refusals.push(`The model has no graph ${shownName(graph)}.`);
    else if (others.length > 0) draft.refusals.push(`${others.length + 1} graphs of the model have the path ${shownName(graph)}.`);
    else if (node === undefined) draft.refusals.push(`There is no node ${at} in ${placeOfGraph(owner)}; it has ${owner.nodes.length}.`);
    else {
      const known = moves.get(node);
      const problem = known !== undefined && known.to !== to ? `cannot have both ${shownName(known.to)} and ${shownName(to)} for a name.` : wrongName(to);
      if (problem !== null) draft.refusals.push(`${placeInGraph(placeOfNode(node), owner)} ${problem}`);
      else moves.set(node, { owner, node, to });
    }
  }
  for (const [node, { to }] of moves) if (node.name === to) moves.delete(node);
  return moves;
}

function wrongName(to: string): string | null {
  if (to === '') return 'cannot have an empty name.';
  const bytes = encodeName(to);
  if (bytes.byteLength > KEPT_TEXT_BYTES) return `cannot have a name of ${bytes.byteLength} bytes; up to ${KEPT_TEXT_BYTES} are read.`;
  return decodeName(bytes) === to ? null : 'cannot have a name with half of a character.';
}

/** By the names after all renames. Nodes that share a name already and are not renamed are left alone. */
function refuseDuplicates(moves: ReadonlyMap<OnnxNode, Move>, draft: PlanDraft): void {
  for (const owner of new Set([...moves.values()].map((move) => move.owner))) {
    const taken = new Map<string, OnnxNode>();
    for (const node of owner.nodes) {
      const name = moves.get(node)?.to ?? node.name;
      const other = taken.get(name);
      if (name !== '' && other !== undefined && (moves.has(node) || moves.has(other))) {
        draft.refusals.push(
          `${placeOfNode(other)} and ${placeOfNode(node)} of ${placeOfGraph(owner)} would both be called ${shownName(name)}, which ONNX Runtime does not load.`,
        );
      }
      if (other === undefined || moves.has(node)) taken.set(name, node);
    }
  }
}
