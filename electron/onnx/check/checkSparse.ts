import { placeInGraph, placeOfNode, shownName } from '../edits/places';
import type { OnnxNode, OnnxSparseTensor } from '../model/onnxModel';
import { isGraph } from '../scopes/outerOf';
import type { ScopeOwner } from '../scopes/scopeIndex';
import { countOf } from '../values/elementTypes';
import type { CheckContext } from './checkContext';

const INT64 = 7;

/** Sparse tensors: values [n], indices int64 [n] or [n, rank] (SparseTensorProto in onnx.proto). */
export function checkSparse(context: CheckContext): void {
  const check = (sparse: OnnxSparseTensor, words: string, at: { readonly owner: ScopeOwner; readonly node: OnnxNode | null }) => {
    const problem = problemOf(sparse);
    if (problem !== null) context.error('sparse', `${placeInGraph(words, at.owner)} ${problem}.`, at);
  };
  for (const owner of context.index.owners) {
    if (isGraph(owner)) {
      for (const [i, sparse] of owner.sparse.entries()) {
        check(sparse, `Sparse initializer ${sparse.values === null ? i : shownName(sparse.values.name)}`, { owner, node: null });
      }
    }
    for (const node of owner.nodes) {
      for (const { name, sparseTensors } of node.attributes) {
        for (const sparse of sparseTensors) check(sparse, `The sparse tensor ${shownName(name)} of ${placeOfNode(node)}`, { owner, node });
      }
    }
  }
}

function problemOf({ values, indices, dims }: OnnxSparseTensor): string | null {
  if (values === null) return 'has no values';
  if (dims.length === 0 || countOf(dims) === null) return `has the shape [${dims.join(', ')}], which no sparse tensor can have`;
  const [count] = values.dims;
  if (values.dims.length !== 1 || count === undefined) return `has values of shape [${values.dims.join(', ')}]; they must be one list`;
  if (indices === null) return count === 0 ? null : `has ${count} values, but no indices`;
  if (indices.type !== INT64) return 'has indices that are not int64';
  const [rows, columns] = indices.dims;
  if (rows !== count || (columns !== undefined && columns !== dims.length) || indices.dims.length > 2) {
    return `has ${count} values of a tensor of rank ${dims.length}, but indices of shape [${indices.dims.join(', ')}]`;
  }
  return null;
}
