import type { ValueAddress } from '../../../shared/model/graphEdit';
import type { OnnxNode } from '../model/onnxModel';
import { roleOf } from '../names/roles';
import type { Definition, ScopeIndex } from '../scopes/scopeIndex';
import { storedType } from './constantNode';

/**
 * A value by where it stands: `conv[2].weight` is the weight of the third Conv of a graph, `matmul[0].input_1` and `relu[4].output_0` any input or output. Operators
 * are counted from 0, as `proposeByPosition` names them. Of two inputs with one role (both sides of a MatMul) the stored one is meant.
 * @returns `null` when the text is no such address, or nothing stands there
 */
export function structuralAddress(index: ScopeIndex, graph: string, text: string): ValueAddress | null {
  const [, operator, position, part] = /^([^[\]]+)\[(\d{1,9})\]\.(\w+)$/.exec(text) ?? [];
  const [owner, ...others] = index.ownersAt(graph);
  if (operator === undefined || part === undefined || owner === undefined || others.length > 0) return null;
  const node = owner.nodes.filter(({ op }) => op.toLowerCase() === operator.toLowerCase())[Number(position)];
  if (node === undefined) return null;
  const found = namesAt(node, part).flatMap((name) => (name === '' ? [] : (index.resolve(owner, name) ?? [])));
  const [only, ...more] = found.length > 1 ? found.filter((definition) => storedType(definition) !== null) : found;
  return only === undefined || more.some((other) => other !== only) ? null : addressOf(only);
}

/** The value that a person means: by its name, or else by where it stands. One that is neither stays as it was said, for the edit to refuse. */
export function addressed(index: ScopeIndex, address: ValueAddress): ValueAddress {
  if (index.definition(address.graph, address.name) !== null) return address;
  return structuralAddress(index, address.graph, address.name) ?? address;
}

function namesAt(node: OnnxNode, part: string): string[] {
  const output = /^output_(\d{1,9})$/.exec(part)?.[1];
  if (output !== undefined) return [node.outputs[Number(output)]?.text ?? ''];
  return node.inputs.flatMap(({ text }, input) => (roleOf(node.op, input) === part || part === `input_${input}` ? [text] : []));
}

function addressOf({ owner, name }: Definition): ValueAddress {
  return { graph: owner.path, name };
}
