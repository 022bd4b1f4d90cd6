import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import type { Frame } from '../../encodings/protobuf/frame';
import { readSkeleton, type Skeleton } from '../../encodings/protobuf/skeleton';
import { rootCursor, VARINT, type WireCursor } from '../../encodings/protobuf/wireCursor';
import type { Binding, MetadataProp, OnnxFunction, OnnxGraph, OnnxModel, OnnxTraining, OpsetImport } from './onnxModel';
import { readFunction, readOpset } from './readFunction';
import { readBinding, readGraph } from './readGraph';
import { type ReadContext, readDoc, readEntry, readName, refuseSecond } from './readText';
import { MODEL_SCHEMA } from './schema';

/**
 * A field costs some ten bytes to a hundred once it is read, so that a file of empty messages needs many times its size. The largest models
 * have some hundred thousand nodes.
 */
const MAX_FIELDS = 2 ** 24;
/** Paths of bodies begin with those of the graphs around them, and hold names, which may have a megabyte. */
const MAX_PATH_CHARACTERS = 2 ** 24;

/**
 * The structure of an ONNX model with the place of everything in the file; payloads of tensors are not read.
 * @throws CheckpointError malformed, truncated, too-large, cancelled
 */
export async function readModel(source: ByteSource, options: { readonly file: string; readonly signal?: AbortSignal | undefined }): Promise<OnnxModel> {
  return parseModel(await readSkeleton(source, MODEL_SCHEMA, options), options.file);
}

type Draft = { -readonly [K in keyof Omit<OnnxModel, 'graph' | 'graphs'>]: OnnxModel[K] } & {
  opsets: OpsetImport[];
  metadata: MetadataProp[];
  functions: OnnxFunction[];
  training: OnnxTraining[];
  unknownFields: number[];
};

/** `readModel` of what is in memory already. @throws CheckpointError malformed, truncated, too-large */
export function parseModel(skeleton: Skeleton, file: string): OnnxModel {
  const frame: Frame = { parent: null, fieldStart: 0, lengthAt: 0, start: 0, end: skeleton.length };
  const context: ReadContext = { file, paths: { characters: MAX_PATH_CHARACTERS } };
  const model: Draft = {
    length: skeleton.length,
    frame,
    irVersion: 0,
    irVersionSite: null,
    producer: '',
    producerVersion: '',
    domain: '',
    doc: '',
    opsets: [],
    metadata: [],
    functions: [],
    training: [],
    unknownFields: [],
  };
  let graph: OnnxGraph | null = null;
  for (const fields = rootCursor(skeleton, file, MAX_FIELDS); fields.next(); ) {
    if (fields.number !== 7) readModelField(fields, model, context);
    else if (graph === null) graph = readGraph(fields, { parent: frame, place: { path: '', parent: null, depth: 0 }, context });
    else throw new CheckpointError('malformed', 'The model has two main graphs.', { place: { file, offset: fields.startAt } });
  }
  if (graph === null) throw new CheckpointError('malformed', 'The model has no graph.', { place: { file } });
  return { ...model, graph, graphs: allGraphs(graph, model) };
}

function readModelField(fields: WireCursor, model: Draft, context: ReadContext): void {
  const { frame } = model;
  switch (fields.number) {
    case 1:
      if (fields.wire === VARINT) model.irVersion = fields.int();
      model.irVersionSite = fields.site(frame);
      break;
    case 2:
      model.producer = readName(fields, context);
      break;
    case 3:
      model.producerVersion = readDoc(fields);
      break;
    case 4:
      model.domain = readDoc(fields);
      break;
    case 5:
    case 26:
      break;
    case 6:
      model.doc = readDoc(fields);
      break;
    case 8:
      model.opsets.push(readOpset(fields, fields.site(frame), context));
      break;
    case 14:
      model.metadata.push(readEntry(fields));
      break;
    case 20:
      model.training.push(readTraining(fields, frame, { index: model.training.length, context }));
      break;
    case 25:
      model.functions.push(readFunction(fields, frame, context));
      break;
    default:
      model.unknownFields.push(fields.number);
  }
}

/** TrainingInfoProto. */
function readTraining(cursor: WireCursor, parent: Frame, { index, context }: { readonly index: number; readonly context: ReadContext }): OnnxTraining {
  const frame = cursor.frame(parent);
  let initialization: OnnxGraph | null = null;
  let algorithm: OnnxGraph | null = null;
  const initializationBindings: Binding[] = [];
  const updateBindings: Binding[] = [];
  const place = (part: string) => ({ path: `training:${index}.${part}`, parent: null, depth: 0 });
  for (const fields = cursor.inside(); fields.next(); ) {
    if (fields.number === 1) {
      refuseSecond(initialization, fields, context);
      initialization = readGraph(fields, { parent: frame, place: place('initialization'), context });
    } else if (fields.number === 2) {
      refuseSecond(algorithm, fields, context);
      algorithm = readGraph(fields, { parent: frame, place: place('algorithm'), context });
    } else if (fields.number === 3) initializationBindings.push(readBinding(fields, frame, context));
    else if (fields.number === 4) updateBindings.push(readBinding(fields, frame, context));
  }
  return { frame, initialization, algorithm, initializationBindings, updateBindings };
}

function allGraphs(main: OnnxGraph, { functions, training }: Draft): OnnxGraph[] {
  const graphs: OnnxGraph[] = [];
  const add = (graph: OnnxGraph | null) => {
    if (graph === null) return;
    graphs.push(graph);
    graph.children.forEach(add);
  };
  add(main);
  for (const func of functions) func.children.forEach(add);
  for (const { initialization, algorithm } of training) {
    add(initialization);
    add(algorithm);
  }
  return graphs;
}
