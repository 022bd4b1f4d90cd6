import type { NameProposal } from '../../../shared/model/graphEdit';
import { modulePath } from './modulePath';
import { roleOf } from './roles';
import type { NamelessValue } from './unnamedValues';

/** Names from the modules of the nodes that use the values: `encoder.body.conv.weight`. Those whose nodes have no path get none. */
export function proposeFromNodes(values: readonly NamelessValue[]): NameProposal[] {
  return values.flatMap((value) => {
    const to = nameByNode(value);
    return to === null ? [] : [{ address: addressOf(value), to, source: 'node' as const, reason: reasonOf(value) }];
  });
}

/** `null` when no node with a path uses it. */
export function nameByNode({ first }: NamelessValue): string | null {
  const path = first === null ? null : modulePath(first.node);
  return path === null || first === null ? null : `${path}.${roleOf(first.node.op, first.input)}`;
}

export function addressOf({ definition }: NamelessValue): NameProposal['address'] {
  return { graph: definition.owner.path, name: definition.name };
}

function reasonOf({ first, uses }: NamelessValue): string {
  const others = uses.length - 1;
  const node = first === null ? '' : `the ${roleOf(first.node.op, first.input)} of ${first.node.op} ${first.node.name}`;
  return others > 0 ? `${node}, and used in ${others} more ${others === 1 ? 'place' : 'places'}` : node;
}
