import type { FieldSite, Frame } from '../../encodings/protobuf/frame';
import { VARINT, type WireCursor } from '../../encodings/protobuf/wireCursor';
import type { NameSite, OnnxFunction, OnnxGraph, OnnxNode, OnnxValueInfo, OpsetImport } from './onnxModel';
import { functionBodies } from './readGraph';
import { ownDomain, readNode } from './readNode';
import { type ReadContext, readDoc, readName, readNameSite } from './readText';
import { readValueInfo } from './readValueInfo';

interface FunctionDraft extends OnnxFunction {
  path: string;
  name: string;
  nameSite: FieldSite | null;
  domain: string;
  overload: string;
  doc: string;
  readonly inputs: NameSite[];
  readonly outputs: NameSite[];
  readonly attributes: string[];
  readonly nodes: OnnxNode[];
  readonly valueInfos: OnnxValueInfo[];
  readonly opsets: OpsetImport[];
  readonly children: OnnxGraph[];
}

/** FunctionProto: identified by domain, name and overload together. @throws CheckpointError malformed, truncated, too-large */
export function readFunction(cursor: WireCursor, parent: Frame, context: ReadContext): OnnxFunction {
  const frame = cursor.frame(parent);
  const func: FunctionDraft = {
    frame,
    path: '',
    name: '',
    nameSite: null,
    domain: '',
    overload: '',
    inputs: [],
    outputs: [],
    attributes: [],
    nodes: [],
    valueInfos: [],
    opsets: [],
    children: [],
    doc: '',
  };
  // Its identity first: the paths of its bodies begin with it.
  for (const fields = cursor.inside(); fields.next(); ) readIdentity(fields, func, context);
  func.path = `fn:${func.domain}.${func.name}${func.overload === '' ? '' : `:${func.overload}`}`;
  const nodes = functionBodies(func, func.children, context);
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 7) func.nodes.push(readNode(fields, { parent: frame, index: func.nodes.length, context: nodes }));
  }
  return func;
}

function readIdentity(fields: WireCursor, func: FunctionDraft, context: ReadContext): void {
  const { frame } = func;
  switch (fields.number) {
    case 1:
      func.name = readName(fields, context);
      func.nameSite = fields.site(frame);
      break;
    case 4:
      func.inputs.push(readNameSite(fields, frame, context));
      break;
    case 5:
      func.outputs.push(readNameSite(fields, frame, context));
      break;
    case 6:
      func.attributes.push(readName(fields, context));
      break;
    case 8:
      func.doc = readDoc(fields);
      break;
    case 9:
      func.opsets.push(readOpset(fields, fields.site(frame), context));
      break;
    case 10:
      func.domain = ownDomain(readName(fields, context));
      break;
    case 12:
      func.valueInfos.push(readValueInfo(fields, frame, context));
      break;
    case 13:
      func.overload = readName(fields, context);
      break;
    default:
  }
}

/** OperatorSetIdProto. */
export function readOpset(cursor: WireCursor, site: FieldSite, context: ReadContext): OpsetImport {
  let domain = '';
  let version = 0;
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) domain = ownDomain(readName(fields, context));
    else if (fields.number === 2 && fields.wire === VARINT) version = fields.int();
  }
  return { domain, version, site };
}
