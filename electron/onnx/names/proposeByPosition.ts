import type { NameProposal } from '../../../shared/model/graphEdit';
import type { OnnxNode } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import { addressOf } from './proposeFromNodes';
import { roleOf } from './roles';
import type { NamelessValue } from './unnamedValues';

/** Names from the operator and its place in the order of the graph, counted from 0: `conv[2].weight`. */
export function proposeByPosition(values: readonly NamelessValue[]): NameProposal[] {
  const positions = new Map<OnnxNode, number>();
  for (const owner of new Set(values.map(({ definition }) => definition.owner))) {
    if (isGraph(owner)) countOperators(owner.nodes, positions);
  }
  return values.flatMap((value) => {
    const { first } = value;
    const position = first === null ? undefined : positions.get(first.node);
    if (first === null || position === undefined) return [];
    const { op } = first.node;
    const to = `${op.toLowerCase()}[${position}].${roleOf(op, first.input)}`;
    return [
      { address: addressOf(value), to, source: 'position' as const, reason: `input ${first.input} of the graph's ${op} ${position}, both counted from 0` },
    ];
  });
}

function countOperators(nodes: readonly OnnxNode[], positions: Map<OnnxNode, number>): void {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const count = counts.get(node.op) ?? 0;
    positions.set(node, count);
    counts.set(node.op, count + 1);
  }
}
