import type { FieldSite, Frame } from '../../encodings/protobuf/frame';
import { VARINT, type WireCursor } from '../../encodings/protobuf/wireCursor';
import type { OnnxValueInfo, OnnxValueType } from './onnxModel';
import { type ReadContext, readDoc, readName, refuseSecond } from './readText';

/** TypeProto's oneof, by field number. */
const KINDS: ReadonlyMap<number, OnnxValueType['kind']> = new Map([
  [1, 'tensor'],
  [4, 'sequence'],
  [5, 'map'],
  [7, 'opaque'],
  [8, 'sparse_tensor'],
  [9, 'optional'],
]);

/** ValueInfoProto. */
export function readValueInfo(cursor: WireCursor, parent: Frame, context: ReadContext): OnnxValueInfo {
  const frame = cursor.frame(parent);
  let name = '';
  let nameSite: FieldSite | null = null;
  let type: OnnxValueType | null = null;
  let typeSite: FieldSite | null = null;
  let doc = '';
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) {
      name = readName(fields, context);
      nameSite = fields.site(frame);
    } else if (fields.number === 2) {
      refuseSecond(typeSite, fields, context);
      type = readType(fields);
      typeSite = fields.site(frame);
    } else if (fields.number === 3) doc = readDoc(fields);
  }
  return { frame, name, nameSite, type, typeSite, doc };
}

function readType(cursor: WireCursor): OnnxValueType {
  for (const fields = cursor.inside(); fields.next(); ) {
    const kind = KINDS.get(fields.number);
    if (kind === 'tensor' || kind === 'sparse_tensor') return { kind, ...readTensorType(fields) };
    if (kind !== undefined) return { kind, elementType: 0, dims: null };
  }
  return { kind: 'unknown', elementType: 0, dims: null };
}

function readTensorType(cursor: WireCursor): Pick<OnnxValueType, 'elementType' | 'dims'> {
  let elementType = 0;
  let dims: (number | string | null)[] | null = null;
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1 && fields.wire === VARINT) elementType = fields.low | 0;
    else if (fields.number === 2) {
      dims = [];
      for (const shape = fields.inside(); shape.next(); ) if (shape.number === 1) dims.push(readDim(shape));
    }
  }
  return { elementType, dims };
}

function readDim(cursor: WireCursor): number | string | null {
  let dim: number | string | null = null;
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1 && fields.wire === VARINT) dim = fields.int();
    else if (fields.number === 2) {
      const text = readDoc(fields);
      dim = text === '' ? null : text;
    }
  }
  return dim;
}
