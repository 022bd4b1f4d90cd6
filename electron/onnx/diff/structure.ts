import { createHash } from 'node:crypto';
import type { OnnxNode, OnnxTensor } from '../model/onnxModel';
import type { ScopeIndex } from '../scopes/scopeIndex';
import { attributeKey } from './attributeText';

/**
 * For each node a text that two nodes share when they compute the same of the same: operator, attributes, and what comes in (an input of the
 * graph by its name, an initializer by its content, another node by its own text). Names of nodes, values and initializers do not count.
 */
export function structureOf(index: ScopeIndex, digestOf: (tensor: OnnxTensor) => string): (node: OnnxNode) => string {
  const known = new Map<OnnxNode, string>();
  for (const owner of index.owners) {
    // Producers stand before their consumers; where they do not, the name of the value has to do.
    for (const node of owner.nodes) {
      const inputs = node.inputs.map(({ text }) => {
        if (text === '') return '';
        const definition = index.resolve(owner, text);
        if (definition === null) return `? ${text}`;
        if (definition.tensor !== null) return digestOf(definition.tensor);
        const producer = definition.node === null ? undefined : known.get(definition.node);
        if (definition.node === null || producer === undefined) return `= ${text}`;
        return `${producer} ${definition.node.outputs.findIndex((output) => output.text === text)}`;
      });
      const attributes = node.attributes.map((attribute) => attributeKey(attribute, digestOf)).sort();
      const key = JSON.stringify([node.domain, node.op, node.overload, attributes, inputs]);
      known.set(node, createHash('sha256').update(key).digest('base64'));
    }
  }
  return (node) => known.get(node) ?? '';
}
