import type { FieldSite, Frame } from '../../encodings/protobuf/frame';
import { BYTES, VARINT, type WireCursor } from '../../encodings/protobuf/wireCursor';
import type { OnnxSparseTensor, OnnxTensor } from './onnxModel';
import { type ReadContext, readDoc, readEntry, readName, refuseSecond } from './readText';

type Draft = { -readonly [K in keyof OnnxTensor]: OnnxTensor[K] } & {
  dims: number[];
  dimSites: FieldSite[];
  valueSites: FieldSite[];
  typed: FieldSite[];
  unknownFields: number[];
};
/** Typed fields, raw_data, external_data, data_location. */
const VALUE_FIELDS: ReadonlySet<number> = new Set([4, 5, 6, 7, 9, 10, 11, 13, 14]);
const EXTERNAL = 1;

/** TensorProto without its values. @throws CheckpointError malformed, truncated, too-large */
export function readTensor(cursor: WireCursor, parent: Frame, context: ReadContext): OnnxTensor {
  const frame = cursor.frame(parent);
  const tensor: Draft = emptyTensor(frame);
  const entries: { key: string; value: string; site: FieldSite }[] = [];
  let isExternal = false;
  for (const fields = cursor.inside(); fields.next(); ) {
    const site = fields.site(frame);
    if (VALUE_FIELDS.has(fields.number)) pushRun(tensor.valueSites, site);
    switch (fields.number) {
      case 1:
        readDims(fields, tensor.dims);
        pushRun(tensor.dimSites, site);
        break;
      case 2:
        if (fields.wire === VARINT) tensor.type = fields.low | 0;
        tensor.typeSite = site;
        break;
      case 3:
        tensor.segmented = true;
        break;
      case 4:
      case 5:
      case 6:
      case 7:
      case 10:
      case 11:
        tensor.packed = fields.wire === BYTES && tensor.typed.length === 0 ? { offset: fields.contentAt, length: fields.endAt - fields.contentAt } : null;
        pushRun(tensor.typed, site);
        break;
      case 8:
        tensor.name = readName(fields, context);
        tensor.nameSite = site;
        break;
      case 9:
        if (fields.wire === BYTES) tensor.raw = { site, offset: fields.contentAt, length: fields.endAt - fields.contentAt };
        break;
      case 12:
        tensor.doc = readDoc(fields);
        break;
      case 13:
        entries.push({ ...readEntry(fields), site });
        break;
      case 14:
        isExternal = fields.wire === VARINT && fields.low === EXTERNAL;
        tensor.dataLocationSite = site;
        break;
      case 16:
        break;
      default:
        tensor.unknownFields.push(fields.number);
    }
  }
  if (isExternal) tensor.external = externalOf(entries);
  return tensor;
}

function emptyTensor(frame: Frame): Draft {
  return {
    frame,
    name: '',
    nameSite: null,
    type: 0,
    dims: [],
    dimSites: [],
    raw: null,
    typeSite: null,
    typed: [],
    packed: null,
    external: null,
    dataLocationSite: null,
    valueSites: [],
    segmented: false,
    doc: '',
    unknownFields: [],
  };
}

/** SparseTensorProto. */
export function readSparse(cursor: WireCursor, parent: Frame, context: ReadContext): OnnxSparseTensor {
  const frame = cursor.frame(parent);
  let values: OnnxTensor | null = null;
  let indices: OnnxTensor | null = null;
  const dims: number[] = [];
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) {
      refuseSecond(values, fields, context);
      values = readTensor(fields, frame, context);
    } else if (fields.number === 2) {
      refuseSecond(indices, fields, context);
      indices = readTensor(fields, frame, context);
    } else if (fields.number === 3) readDims(fields, dims);
  }
  return { frame, values, indices, dims };
}

function readDims(fields: WireCursor, dims: number[]): void {
  if (fields.wire === VARINT) dims.push(fields.int());
  else if (fields.wire === BYTES) for (const value of fields.packed()) dims.push(value.int());
}

/** Fields of one number that follow each other become one site, so that a million values one by one are one. */
export function pushRun(sites: FieldSite[], site: FieldSite): void {
  const last = sites.at(-1);
  if (last !== undefined && last.number === site.number && last.end === site.start) sites[sites.length - 1] = { ...last, end: site.end };
  else sites.push(site);
}

function externalOf(entries: readonly { key: string; value: string; site: FieldSite }[]): OnnxTensor['external'] {
  const value = (key: string) => entries.findLast((entry) => entry.key === key)?.value;
  const number = (key: string) => {
    const text = value(key);
    return text === undefined ? null : Number(text);
  };
  return { location: value('location') ?? '', offset: number('offset'), length: number('length'), entries, sites: entries.map(({ site }) => site) };
}
