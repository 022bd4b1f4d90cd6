import { CheckpointError } from '../../../shared/contract/errors';
import type { FieldSite, Frame } from '../../encodings/protobuf/frame';
import { BYTES, FIXED32, VARINT, type WireCursor } from '../../encodings/protobuf/wireCursor';
import type { AttributeType, MetadataProp, NameSite, OnnxAttribute, OnnxGraph, OnnxNode, OnnxSparseTensor, OnnxTensor } from './onnxModel';
import { pushRun, readSparse, readTensor } from './readTensor';
import { type ReadContext, readDoc, readEntry, readName, readNameSite, refuseSecond } from './readText';

/** Reads a body: made by the reader of graphs, which this file must not import (they hold each other). */
export interface NodeContext extends ReadContext {
  readonly body: (cursor: WireCursor, frame: Frame, at: { readonly node: number; readonly attribute: string }) => OnnxGraph;
}

/** What most attributes and nodes have none of is one list for all of them; `added` makes a list of its own when there is something to add. */
const NONE: never[] = [];

function added<T>(list: T[], value: T): T[] {
  if (list === NONE) return [value];
  list.push(value);
  return list;
}

/** `ai.onnx` and no domain at all are the same (https://github.com/onnx/onnx/blob/main/docs/IR.md#operator-sets). */
export function ownDomain(domain: string): string {
  return domain === 'ai.onnx' ? '' : domain;
}

/** NodeProto. @throws CheckpointError malformed, truncated, too-large */
export function readNode(cursor: WireCursor, options: { readonly parent: Frame; readonly index: number; readonly context: NodeContext }): OnnxNode {
  const { index, context } = options;
  const frame = cursor.frame(options.parent);
  let name = '';
  let nameSite: FieldSite | null = null;
  let op = '';
  let opSite: FieldSite | null = null;
  let domain = '';
  let overload = '';
  let doc = '';
  const inputs: NameSite[] = [];
  const outputs: NameSite[] = [];
  let attributes: OnnxAttribute[] = NONE;
  let sharding: NameSite[] = NONE;
  let metadata: MetadataProp[] = NONE;
  let unknownFields: number[] = NONE;
  for (const fields = cursor.inside(); fields.next(); ) {
    switch (fields.number) {
      case 1:
        inputs.push(readNameSite(fields, frame, context));
        break;
      case 2:
        outputs.push(readNameSite(fields, frame, context));
        break;
      case 3:
        name = readName(fields, context);
        nameSite = fields.site(frame);
        break;
      case 4:
        op = readName(fields, context);
        opSite = fields.site(frame);
        break;
      case 5:
        attributes = added(attributes, readAttribute(fields, { parent: frame, node: index, context }));
        break;
      case 6:
        doc = readDoc(fields);
        break;
      case 7:
        domain = ownDomain(readName(fields, context));
        break;
      case 8:
        overload = readName(fields, context);
        break;
      case 9:
        metadata = added(metadata, readEntry(fields));
        break;
      case 10:
        sharding = [...sharding, ...readSharding(fields, frame, context)];
        break;
      default:
        unknownFields = added(unknownFields, fields.number);
    }
  }
  return { frame, index, name, nameSite, op, opSite, domain, overload, inputs, outputs, attributes, sharding, metadata, doc, unknownFields };
}

/** NodeDeviceConfigurationProto.sharding_spec.tensor_name (IR 11). */
function readSharding(cursor: WireCursor, parent: Frame, context: ReadContext): NameSite[] {
  const frame = cursor.frame(parent);
  const names: NameSite[] = [];
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number !== 2 || fields.wire !== BYTES) continue;
    const spec = fields.frame(frame);
    for (const inner = fields.inside(); inner.next(); ) if (inner.number === 1) names.push(readNameSite(inner, spec, context));
  }
  return names;
}

/** AttributeProto.AttributeType by number. */
const TYPES: readonly AttributeType[] = [
  'undefined',
  'float',
  'int',
  'string',
  'tensor',
  'graph',
  'floats',
  'ints',
  'strings',
  'tensors',
  'graphs',
  'sparse_tensor',
  'sparse_tensors',
  'type_proto',
  'type_protos',
];

/** What a value without `type` is (IR 1), by the number of the field that holds it. */
const TYPE_OF_FIELD: ReadonlyMap<number, AttributeType> = new Map([
  [2, 'float'],
  [3, 'int'],
  [4, 'string'],
  [5, 'tensor'],
  [6, 'graph'],
  [7, 'floats'],
  [8, 'ints'],
  [9, 'strings'],
  [10, 'tensors'],
  [11, 'graphs'],
  [14, 'type_proto'],
  [15, 'type_protos'],
  [22, 'sparse_tensor'],
  [23, 'sparse_tensors'],
]);

/** Fields of AttributeProto that one who sets a value writes anew: name, type and every value, but no texts for people and no reference. */
const REWRITTEN: ReadonlySet<number> = new Set([1, 20, ...TYPE_OF_FIELD.keys()]);

type AttributeDraft = { -readonly [K in keyof OnnxAttribute]: OnnxAttribute[K] } & {
  floats: number[];
  ints: bigint[];
  strings: string[];
  tensors: OnnxTensor[];
  sparseTensors: OnnxSparseTensor[];
  graphs: OnnxGraph[];
  sites: FieldSite[];
};

function readAttribute(cursor: WireCursor, options: { readonly parent: Frame; readonly node: number; readonly context: NodeContext }): OnnxAttribute {
  const { node, context } = options;
  const frame = cursor.frame(options.parent);
  const attribute: AttributeDraft = {
    frame,
    name: '',
    type: 'undefined',
    ref: '',
    float: null,
    int: null,
    string: null,
    floats: NONE,
    ints: NONE,
    strings: NONE,
    tensors: NONE,
    sparseTensors: NONE,
    graphs: NONE,
    doc: '',
    sites: [],
  };
  let typed = false;
  /** Bodies are named by their attribute, whose name may come after them. */
  let hasBodies = false;
  for (const fields = cursor.inside(); fields.next(); ) {
    if (REWRITTEN.has(fields.number)) pushRun(attribute.sites, fields.site(frame));
    if (fields.number === 1) attribute.name = readName(fields, context);
    else if (fields.number === 20 && fields.wire === VARINT) {
      attribute.type = TYPES[fields.low] ?? 'unknown';
      typed = true;
    } else if (!typed) attribute.type = TYPE_OF_FIELD.get(fields.number) ?? attribute.type;
    if (fields.number === 6 || fields.number === 11) hasBodies = true;
    else readAttributeValue(fields, attribute, context);
  }
  if (hasBodies) readBodies(cursor, { attribute, node, context });
  return attribute;
}

function readBodies(
  cursor: WireCursor,
  { attribute, node, context }: { readonly attribute: AttributeDraft; readonly node: number; readonly context: NodeContext },
): void {
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number !== 6 && fields.number !== 11) continue;
    if (fields.wire !== BYTES)
      throw new CheckpointError('malformed', `Field ${fields.number} should be a graph.`, { place: { file: context.file, offset: fields.startAt } });
    if (fields.number === 6) refuseSecond(attribute.graphs[0] ?? null, fields, context);
    // The first of several has no number, so that its path is that of a single one.
    const name = attribute.graphs.length === 0 ? attribute.name : `${attribute.name}[${attribute.graphs.length}]`;
    attribute.graphs = added(attribute.graphs, context.body(fields, attribute.frame, { node, attribute: name }));
  }
}

function readAttributeValue(fields: WireCursor, attribute: AttributeDraft, context: ReadContext): void {
  const { frame } = attribute;
  switch (fields.number) {
    case 2:
      if (fields.wire === FIXED32) attribute.float = fields.float();
      break;
    case 3:
      if (fields.wire === VARINT) attribute.int = fields.bigint();
      break;
    case 4:
      attribute.string = readDoc(fields);
      break;
    case 5:
      refuseSecond(attribute.tensors[0] ?? null, fields, context);
      attribute.tensors = added(attribute.tensors, readTensor(fields, frame, context));
      break;
    case 10:
      attribute.tensors = added(attribute.tensors, readTensor(fields, frame, context));
      break;
    case 7:
      if (fields.wire === FIXED32) attribute.floats = added(attribute.floats, fields.float());
      else if (fields.wire === BYTES && !fields.isCut) for (const value of packedFloats(fields.content())) attribute.floats = added(attribute.floats, value);
      break;
    case 8:
      if (fields.wire === VARINT) attribute.ints = added(attribute.ints, fields.bigint());
      else if (fields.wire === BYTES && !fields.isCut) for (const value of fields.packed()) attribute.ints = added(attribute.ints, value.bigint());
      break;
    case 9:
      attribute.strings = added(attribute.strings, readDoc(fields));
      break;
    case 13:
      attribute.doc = readDoc(fields);
      break;
    case 21:
      attribute.ref = readName(fields, context);
      break;
    case 22:
      refuseSecond(attribute.sparseTensors[0] ?? null, fields, context);
      attribute.sparseTensors = added(attribute.sparseTensors, readSparse(fields, frame, context));
      break;
    case 23:
      attribute.sparseTensors = added(attribute.sparseTensors, readSparse(fields, frame, context));
      break;
    default:
  }
}

function* packedFloats(content: Uint8Array): Generator<number> {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at + 4 <= content.byteLength; at += 4) yield view.getFloat32(at, true);
}
