import type { NodeAddress } from '../../../shared/model/graphEdit';
import type { OnnxModel } from '../model/onnxModel';
import { freshName } from './newNames';

/**
 * A name for every node that has none: its operator and a number, `Conv_3`, counted through the model. No two nodes of the model get one
 * name: ONNX Runtime refuses duplicates.
 */
export function nodeNamesFor(model: OnnxModel): (NodeAddress & { readonly to: string })[] {
  const owners = [...model.graphs, ...model.functions];
  const taken = new Set(owners.flatMap(({ nodes }) => nodes.map(({ name }) => name)));
  const next = new Map<string, number>();
  const names: (NodeAddress & { readonly to: string })[] = [];
  for (const { path, nodes } of owners) {
    for (const { index, name, op } of nodes) {
      if (name !== '') continue;
      const stem = op === '' ? 'node' : op;
      let number = next.get(stem) ?? 0;
      while (taken.has(`${stem}_${number}`)) number++;
      next.set(stem, number + 1);
      names.push({ graph: path, index, to: freshName(`${stem}_${number}`, taken) });
    }
  }
  return names;
}
