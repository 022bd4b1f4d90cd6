import type { OnnxNode } from '../model/onnxModel';
import type { Definition, DefinitionSite, Use } from '../scopes/scopeIndex';

/** `node 12 Conv "/stem/conv/Conv"`. */
export function placeOfNode({ index, op, domain, name }: OnnxNode): string {
  return `node ${index} ${domain === '' ? '' : `${domain}.`}${op}${name === '' ? '' : ` ${JSON.stringify(name)}`}`;
}

/** `initializer "W"`, `output 0 of node 3 Constant`. */
export function placeOfDefinition({ name }: Definition, { kind, index, node }: DefinitionSite): string {
  if (node !== null) return `output ${index} of ${placeOfNode(node)}`;
  return `${kind === 'sparse' ? 'sparse initializer' : kind} ${JSON.stringify(name)}`;
}

/** `node 12 Conv "/stem/conv/Conv", input 2`, `output "y"`; the graph in front where it is not the main one. */
export function placeOfUse({ owner, node, input, name }: Use): string {
  const place = node === null ? `output ${JSON.stringify(name)}` : `${placeOfNode(node)}, input ${input}`;
  return owner.path === '' ? place : `${owner.path}: ${place}`;
}
