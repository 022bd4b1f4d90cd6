import { CheckpointError } from '../../../shared/contract/errors';
import type { Frame } from '../../encodings/protobuf/frame';
import type { WireCursor } from '../../encodings/protobuf/wireCursor';
import type { MetadataProp, NameSite, OnnxAnnotation, OnnxFunction, OnnxGraph, OnnxNode, OnnxSparseTensor, OnnxTensor, OnnxValueInfo } from './onnxModel';
import { type NodeContext, readNode } from './readNode';
import { readSparse, readTensor } from './readTensor';
import { type ReadContext, readDoc, readEntry, readName, readNameSite } from './readText';
import { readValueInfo } from './readValueInfo';

/** Bodies inside bodies: no model has more than some few. */
const MAX_BODIES = 64;

interface GraphDraft extends OnnxGraph {
  name: string;
  doc: string;
  readonly children: OnnxGraph[];
  readonly nodes: OnnxNode[];
  readonly inputs: OnnxValueInfo[];
  readonly outputs: OnnxValueInfo[];
  readonly valueInfos: OnnxValueInfo[];
  readonly initializers: OnnxTensor[];
  readonly sparse: OnnxSparseTensor[];
  readonly annotations: OnnxAnnotation[];
  readonly metadata: MetadataProp[];
  readonly unknownFields: number[];
}

export interface GraphPlace {
  readonly path: string;
  readonly parent: OnnxGraph['parent'];
  readonly depth: number;
}

/** GraphProto, with the bodies inside its nodes. @throws CheckpointError malformed, truncated, too-large */
export function readGraph(cursor: WireCursor, options: { readonly parent: Frame; readonly place: GraphPlace; readonly context: ReadContext }): OnnxGraph {
  const { place, context } = options;
  if (place.depth > MAX_BODIES) {
    throw new CheckpointError('malformed', `More than ${MAX_BODIES} graphs lie inside each other.`, { place: { file: context.file, offset: cursor.startAt } });
  }
  const frame = cursor.frame(options.parent);
  const graph: GraphDraft = {
    frame,
    path: place.path,
    name: '',
    doc: '',
    parent: place.parent,
    children: [],
    nodes: [],
    inputs: [],
    outputs: [],
    valueInfos: [],
    initializers: [],
    sparse: [],
    annotations: [],
    metadata: [],
    unknownFields: [],
  };
  const nodes = bodiesOf(graph, graph.children, { depth: place.depth, context });
  for (const fields = cursor.inside(); fields.next(); ) readGraphField(fields, graph, nodes);
  return graph;
}

/** A context in which the bodies of nodes become children of `owner`. */
function bodiesOf(
  owner: OnnxGraph | OnnxFunction,
  children: OnnxGraph[],
  { depth, context }: { readonly depth: number; readonly context: ReadContext },
): NodeContext {
  return {
    ...context,
    body(cursor, parent, { node, attribute }) {
      context.paths.characters -= owner.path.length + attribute.length;
      if (context.paths.characters < 0)
        throw new CheckpointError('too-large', 'The names of the graphs inside each other are longer than could be kept in memory.', {
          place: { file: context.file, offset: cursor.startAt },
        });
      const path = `${owner.path === '' ? '' : `${owner.path}/`}#${node}.${attribute}`;
      const child = readGraph(cursor, { parent, place: { path, parent: { graph: owner, node, attribute }, depth: depth + 1 }, context });
      children.push(child);
      return child;
    },
  };
}

function readGraphField(fields: WireCursor, graph: GraphDraft, context: NodeContext): void {
  const { frame } = graph;
  switch (fields.number) {
    case 1:
      graph.nodes.push(readNode(fields, { parent: frame, index: graph.nodes.length, context }));
      break;
    case 2:
      graph.name = readName(fields, context);
      break;
    case 5:
      graph.initializers.push(readTensor(fields, frame, context));
      break;
    case 10:
      graph.doc = readDoc(fields);
      break;
    case 11:
      graph.inputs.push(readValueInfo(fields, frame, context));
      break;
    case 12:
      graph.outputs.push(readValueInfo(fields, frame, context));
      break;
    case 13:
      graph.valueInfos.push(readValueInfo(fields, frame, context));
      break;
    case 14:
      graph.annotations.push(readAnnotation(fields, frame, context));
      break;
    case 15:
      graph.sparse.push(readSparse(fields, frame, context));
      break;
    case 16:
      graph.metadata.push(readEntry(fields));
      break;
    default:
      graph.unknownFields.push(fields.number);
  }
}

/** TensorAnnotation. */
function readAnnotation(cursor: WireCursor, parent: Frame, context: ReadContext): OnnxAnnotation {
  const frame = cursor.frame(parent);
  let tensor: NameSite | null = null;
  const parameters: { role: string; name: NameSite | null }[] = [];
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) tensor = readNameSite(fields, frame, context);
    else if (fields.number === 2) {
      const { key, value } = readBinding(fields, frame, context);
      parameters.push({ role: key?.text ?? '', name: value });
    }
  }
  return { frame, tensor, parameters };
}

/** A StringStringEntryProto whose texts are names. */
export function readBinding(cursor: WireCursor, parent: Frame, context: ReadContext): { readonly key: NameSite | null; readonly value: NameSite | null } {
  const frame = cursor.frame(parent);
  let key: NameSite | null = null;
  let value: NameSite | null = null;
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) key = readNameSite(fields, frame, context);
    else if (fields.number === 2) value = readNameSite(fields, frame, context);
  }
  return { key, value };
}

/** FunctionProto's nodes, for `readFunction`: bodies inside them are children of the function. */
export function functionBodies(owner: OnnxFunction, children: OnnxGraph[], context: ReadContext): NodeContext {
  return bodiesOf(owner, children, { depth: 0, context });
}
