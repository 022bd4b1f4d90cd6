import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import type { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, scanFields } from '../../encodings/protobuf/scanFields';
import { readModelMetadata } from './readModelMetadata';
import { type BodyGraph, type ConstantValue, readNode } from './readNode';
import { readText } from './readText';
import { visitFields } from './visitFields';

/** Fields of ModelProto. */
const MODEL = { graph: 7, training: 20, function: 25 } as const;
/** Fields of GraphProto. */
const GRAPH = { node: 1, initializer: 5, sparse: 15 } as const;
/** Fields of FunctionProto. */
const FUNCTION = { name: 1, node: 7, domain: 10, overload: 13 } as const;
/** Fields of TrainingInfoProto, as paths call them. */
const TRAINING: ReadonlyMap<number, string> = new Map([
  [1, 'initialization'],
  [2, 'algorithm'],
]);

/** The largest published models have some ten thousand initializers. */
const MAX_TENSORS = 1_000_000;
/** Protocol Buffers' own readers stop at a hundred messages in each other, which are some thirty graphs. */
const MAX_DEPTH = 100;

/** A tensor of the model: an initializer, a sparse one, or what a Constant node gives. */
export interface FoundTensor {
  /** Graph or function that it belongs to (`GraphScope.path`); `''` the main graph. */
  readonly path: string;
  /** Name of the Constant node's output; `null`: the tensor's own. */
  readonly name: string | null;
  readonly value: ConstantValue;
}

export interface FoundTensors {
  /** In each graph the initializers, the sparse ones, then the constants, in their order; a graph before those inside of it. */
  readonly tensors: readonly FoundTensor[];
  readonly metadata: readonly MetadataEntry[];
}

/** A graph, or a function's body, that is still to be gone through. */
interface Scope {
  readonly path: string;
  readonly depth: number;
  /** One, or as many as the wire format made of one. */
  readonly ranges: readonly MessageRange[];
  readonly nodeField: number;
}

interface Context {
  readonly ahead: ReadAhead;
  readonly place: ErrorPlace;
  readonly signal: AbortSignal | undefined;
}

/**
 * All tensors of a model that are values, in every graph, function and training graph; of their contents nothing is read.
 * @throws CheckpointError malformed, truncated, too-large
 */
export async function findTensors(model: MessageRange, context: Context): Promise<FoundTensors> {
  const metadata: MetadataEntry[] = [];
  const tensors: FoundTensor[] = [];
  const pending = (await modelScopes(model, context, metadata)).reverse();
  for (let scope = pending.pop(); scope !== undefined; scope = pending.pop()) {
    const found = await readScope(scope, context);
    if (tensors.length + found.tensors.length > MAX_TENSORS) throw tooMany(context.place);
    for (const tensor of found.tensors) tensors.push(tensor);
    for (const body of found.bodies.reverse()) pending.push(body);
  }
  return { tensors, metadata };
}

async function modelScopes(model: MessageRange, context: Context, metadata: MetadataEntry[]): Promise<Scope[]> {
  const { ahead, place, signal } = context;
  const main: MessageRange[] = [];
  const training: MessageRange[] = [];
  const functions: MessageRange[] = [];
  for await (const field of scanFields(ahead, model, place)) {
    throwIfCancelled(signal);
    if (field.kind === 'bytes' && field.number === MODEL.graph) main.push(field);
    else if (field.kind === 'bytes' && field.number === MODEL.training) training.push(field);
    else if (field.kind === 'bytes' && field.number === MODEL.function) functions.push(field);
    else metadata.push(...(await readModelMetadata(ahead, field, place)));
    if (training.length + functions.length + main.length > MAX_TENSORS) throw tooMany(place);
  }
  if (main.length === 0) throw new CheckpointError('malformed', 'The model has no graph.', { place });
  const scopes: Scope[] = [{ path: '', depth: 0, ranges: main, nodeField: GRAPH.node }];
  for (const range of functions) scopes.push({ path: await functionPath(range, context), depth: 0, ranges: [range], nodeField: FUNCTION.node });
  for (const [index, range] of training.entries()) {
    await visitFields(ahead, range, {
      place,
      visit: (field) => {
        const part = TRAINING.get(field.number);
        if (part !== undefined && field.kind === 'bytes') scopes.push({ path: `training:${index}.${part}`, depth: 0, ranges: [field], nodeField: GRAPH.node });
      },
    });
  }
  return scopes;
}

async function functionPath(range: MessageRange, { ahead, place }: Context): Promise<string> {
  const texts = new Map<number, MessageRange>();
  await visitFields(ahead, range, {
    place,
    visit: (field) => {
      if (field.kind === 'bytes' && (field.number === FUNCTION.name || field.number === FUNCTION.domain || field.number === FUNCTION.overload))
        texts.set(field.number, field);
    },
  });
  const text = async (number: number) => {
    const found = texts.get(number);
    return found === undefined ? '' : readText(ahead, found, place);
  };
  const overload = await text(FUNCTION.overload);
  return `fn:${await text(FUNCTION.domain)}.${await text(FUNCTION.name)}${overload === '' ? '' : `:${overload}`}`;
}

async function readScope(scope: Scope, { ahead, place, signal }: Context): Promise<{ readonly tensors: FoundTensor[]; readonly bodies: Scope[] }> {
  const { path, ranges, nodeField } = scope;
  const isGraph = nodeField === GRAPH.node;
  const initializers: FoundTensor[] = [];
  const sparse: FoundTensor[] = [];
  const constants: FoundTensor[] = [];
  const bodies: Scope[] = [];
  let node = 0;
  for (const range of ranges) {
    for await (const field of scanFields(ahead, range, place)) {
      throwIfCancelled(signal);
      if (field.kind !== 'bytes') continue;
      if (field.number === nodeField) {
        const { bodies: inside, constant } = await readNode(ahead, field, place);
        if (constant !== null) constants.push({ path, name: constant.output, value: constant.value });
        for (const body of inside) bodies.push(bodyScope(scope, { node, body, place }));
        node++;
      } else if (isGraph && field.number === GRAPH.initializer) initializers.push({ path, name: null, value: { kind: 'tensor', message: field } });
      else if (isGraph && field.number === GRAPH.sparse) sparse.push({ path, name: null, value: { kind: 'sparse', message: field } });
      if (initializers.length + sparse.length + constants.length + bodies.length > MAX_TENSORS) throw tooMany(place);
    }
  }
  return { tensors: [...initializers, ...sparse, ...constants], bodies };
}

function bodyScope({ path, depth }: Scope, { node, body, place }: { readonly node: number; readonly body: BodyGraph; readonly place: ErrorPlace }): Scope {
  if (depth >= MAX_DEPTH) throw new CheckpointError('too-large', `The model's graphs are nested more than ${MAX_DEPTH} deep.`, { place });
  return { path: `${path === '' ? '' : `${path}/`}#${node}.${body.attribute}`, depth: depth + 1, ranges: body.ranges, nodeField: GRAPH.node };
}

function tooMany(place: ErrorPlace): CheckpointError {
  return new CheckpointError('too-large', `The model has more than ${MAX_TENSORS} tensors.`, { place });
}
