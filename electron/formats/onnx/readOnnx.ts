import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry, SkippedEntry } from '../../../shared/model/checkpoint';
import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, scanFields } from '../../encodings/protobuf/scanFields';
import type { FileCheckpoint, FileGroup, ReadOptions } from '../format';
import { onnxType, otherTypeName } from './onnxTypes';
import { readModelMetadata } from './readModelMetadata';
import { readTensorProto, type TensorProto } from './readTensorProto';
import { type DataContext, newBudget, tensorData } from './tensorData';

/** Fields of ModelProto and GraphProto. */
const MODEL_GRAPH = 7;
const GRAPH_INITIALIZER = 5;
const GRAPH_SPARSE_INITIALIZER = 15;
const SPARSE_VALUES = 1;

/** The largest published models have some ten thousand initializers. */
const MAX_INITIALIZERS = 1_000_000;

/**
 * The initializers of the main graph, in order; their values are not read, except small ones that stand as numbers one by one.
 * Initializers of subgraphs, functions and training information are not parameter groups of the checkpoint.
 * @throws CheckpointError malformed, truncated, too-large
 */
export async function readOnnx(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const ahead = new ReadAhead(source);
  const place = { file: options.file };
  const model: MessageRange = { offset: 0, length: source.length };
  const context: DataContext = { source, ahead, options, budget: newBudget() };
  const groups: FileGroup[] = [];
  const skipped: SkippedEntry[] = [];
  const names = new Set<string>();
  const graphs: MessageRange[] = [];
  const metadata: MetadataEntry[] = [];
  for await (const field of scanFields(ahead, model, place)) {
    throwIfCancelled(options.signal);
    if (field.number === MODEL_GRAPH && field.kind === 'bytes') graphs.push(field);
    else metadata.push(...(await readModelMetadata(ahead, field, place)));
  }
  if (graphs.length === 0) throw new CheckpointError('malformed', 'The model has no graph.', { place });
  for (const graph of graphs) {
    for await (const field of scanFields(ahead, graph, place)) {
      throwIfCancelled(options.signal);
      if (field.kind !== 'bytes') continue;
      if (field.number === GRAPH_SPARSE_INITIALIZER)
        skipped.push({ name: await sparseName(ahead, field, options), reason: 'A sparse initializer, which is not read.' });
      if (field.number !== GRAPH_INITIALIZER) continue;
      if (groups.length + skipped.length >= MAX_INITIALIZERS)
        throw new CheckpointError('too-large', `The model has more than ${MAX_INITIALIZERS} initializers.`, { place });
      const proto = await readTensorProto(ahead, field, place);
      const read = await toGroup(proto, names, context);
      if ('keys' in read) groups.push(read);
      else skipped.push(read);
    }
  }
  return { format: 'onnx', groups, skipped, metadata };
}

async function toGroup(proto: TensorProto, names: Set<string>, context: DataContext): Promise<FileGroup | SkippedEntry> {
  const { name, shape, typeCode } = proto;
  if (name === '') return { name, reason: 'An initializer without a name, which nothing can use.' };
  if (names.has(name)) return { name, reason: 'An initializer with the same name comes before it. The model is not valid.' };
  names.add(name);
  const type = onnxType(typeCode);
  if (type === undefined) return { name, reason: `An initializer of the type ${otherTypeName(typeCode)}, which is not read.` };
  if (shape === null) return { name, reason: 'An initializer whose shape is broken.' };
  return { keys: [name], dtype: type.dtype, shape, data: await tensorData({ ...proto, shape }, type, context), tiedTo: null };
}

/** The name of a sparse tensor is that of its values. */
async function sparseName(ahead: ReadAhead, message: MessageRange, { file }: ReadOptions): Promise<string> {
  for await (const field of scanFields(ahead, message, { file })) {
    if (field.number === SPARSE_VALUES && field.kind === 'bytes') return (await readTensorProto(ahead, field, { file })).name;
  }
  return '';
}
