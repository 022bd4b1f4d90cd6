import type { OnnxGraph, OnnxModel, OnnxNode } from '../model/onnxModel';
import type { ScopeOwner } from '../scopes/scopeIndex';

/** A graph or function that both models have. */
export interface ScopePair {
  readonly a: ScopeOwner;
  readonly b: ScopeOwner;
}

/** How a node of one model was found in the other. */
export interface NodePair {
  readonly a: OnnxNode;
  readonly b: OnnxNode;
}

/**
 * Nodes of two graphs that are the same ones, by what they make, then by their names, then by what they compute (`structure`: a text that is
 * equal for nodes that compute the same of the same). Never by name first: names may be missing, doubled, or numbered anew by an exporter.
 */
export function matchNodes(
  a: readonly OnnxNode[],
  b: readonly OnnxNode[],
  structure: { readonly a: (node: OnnxNode) => string; readonly b: (node: OnnxNode) => string },
): NodePair[] {
  const left = new Set(a);
  const right = new Set(b);
  const pairs: NodePair[] = [];
  const match = (keyOfA: (node: OnnxNode) => string | null, keyOfB: (node: OnnxNode) => string | null, several: boolean) => {
    const others = byKey(right, keyOfB);
    for (const [key, nodes] of byKey(left, keyOfA)) {
      const found = others.get(key) ?? [];
      if (!several && (nodes.length > 1 || found.length > 1)) continue;
      for (const [i, node] of nodes.entries()) {
        const other = found[i];
        if (other === undefined) break;
        pairs.push({ a: node, b: other });
        left.delete(node);
        right.delete(other);
      }
    }
  };
  match(outputsKey, outputsKey, false);
  match(nameKey, nameKey, false);
  match(structure.a, structure.b, true);
  return pairs;
}

function byKey(nodes: Iterable<OnnxNode>, keyOf: (node: OnnxNode) => string | null): Map<string, OnnxNode[]> {
  const groups = new Map<string, OnnxNode[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key === null) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [node]);
    else known.push(node);
  }
  return groups;
}

function outputsKey({ outputs }: OnnxNode): string | null {
  const names = outputs.map(({ text }) => text);
  return names.every((name) => name === '') ? null : JSON.stringify(names);
}

/** A name alone may go to another operator: then it is another node. */
function nameKey({ name, op, domain }: OnnxNode): string | null {
  return name === '' ? null : JSON.stringify([name, domain, op]);
}

/** Functions of both models by their identity. */
export function functionPairs(a: OnnxModel, b: OnnxModel): ScopePair[] {
  const others = new Map(b.functions.map((each) => [each.path, each]));
  return a.functions.flatMap((each) => {
    const other = others.get(each.path);
    return other === undefined ? [] : [{ a: each, b: other }];
  });
}

/** Bodies of two nodes that belong together, by their attribute. */
export function bodyPairs({ a, b }: NodePair): ScopePair[] {
  const others = new Map(bodiesOf(b));
  return bodiesOf(a).flatMap(([attribute, graph]) => {
    const other = others.get(attribute);
    return other === undefined ? [] : [{ a: graph, b: other }];
  });
}

function bodiesOf(node: OnnxNode): [string, OnnxGraph][] {
  return node.attributes.flatMap(({ graphs }) => graphs.map((graph): [string, OnnxGraph] => [graph.parent?.attribute ?? '', graph]));
}
