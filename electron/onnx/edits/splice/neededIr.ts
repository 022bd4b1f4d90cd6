import type { OnnxTensor } from '../../model/onnxModel';
import { elementType, elementTypeName } from '../../values/elementTypes';
import { tensorsOfNode } from '../allTensors';
import { bodiesOf } from '../nodeSet';
import { allNodes } from './spliceNames';
import type { SplicedPart } from './spliceTypes';

/** The first version of the IR that has all that a piece uses, and what needs it (the list at the head of onnx.proto). */
export function neededIr({ set, stored, functions }: SplicedPart): { readonly version: number; readonly reason: string } {
  let needed = { version: 0, reason: '' };
  const need = (version: number, reason: string) => {
    if (version > needed.version) needed = { version, reason };
  };
  const types = (tensors: readonly (OnnxTensor | null)[]) => {
    for (const tensor of tensors) if (tensor !== null) need(elementType(tensor.type)?.since ?? 0, elementTypeName(tensor.type));
  };
  const nodes = allNodes(set.nodes.map(({ node }) => node));
  types(stored.map(({ tensor }) => tensor));
  if (stored.some(({ kinds }) => kinds.includes('sparse'))) need(6, 'sparse initializers');
  if (functions.length > 0) need(8, 'functions');
  if (functions.some(({ overload }) => overload !== '')) need(10, 'overloads of functions');
  for (const node of [...nodes, ...functions.flatMap((func) => allNodes(func.nodes))]) {
    types(tensorsOfNode(node));
    for (const body of bodiesOf(node)) types(body.initializers);
    if (node.overload !== '') need(10, 'overloads of functions');
    if (node.metadata.length > 0) need(10, 'metadata of nodes');
    if (node.sharding.length > 0) need(11, 'device configurations');
  }
  return needed;
}
