import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ReadAhead } from '../../bytes/readAhead';
import type { MessageRange } from '../../encodings/protobuf/scanFields';
import { readText } from './readText';
import { addValue, type CollectedValues, type RepeatedValues } from './values';
import { visitFields } from './visitFields';

/** Fields of NodeProto. */
const NODE = { output: 2, opType: 4, attribute: 5, domain: 7 } as const;
/** Fields of AttributeProto. */
export const ATTRIBUTE = { name: 1, float: 2, int: 3, tensor: 5, graph: 6, floats: 7, ints: 8, graphs: 11, sparseTensor: 22 } as const;
/** Operators have a dozen attributes at most. */
const MAX_ATTRIBUTES = 10_000;
/** The operator and its domain are compared with short texts. */
const MAX_COMPARED_BYTES = 16;

/** A body: graph attribute of a node. */
export interface BodyGraph {
  /** The attribute's name; the second of a list of graphs has `[1]` behind it. */
  readonly attribute: string;
  readonly ranges: readonly MessageRange[];
}

/** What the output of a Constant node is. */
export type ConstantValue =
  | { readonly kind: 'tensor' | 'sparse'; readonly message: MessageRange }
  /** `value_float`: the four bytes of the number; `null` where it is left out, as a 0 may be. */
  | { readonly kind: 'float'; readonly field: MessageRange | null }
  /** `value_int`: the attribute with the number; `null` as above. */
  | { readonly kind: 'int'; readonly message: MessageRange | null }
  /** `value_floats`, `value_ints`, in the attribute `message`. */
  | { readonly kind: 'floats' | 'ints'; readonly message: MessageRange; readonly values: RepeatedValues }
  | { readonly kind: 'none'; readonly attribute: string };

export interface NodeContents {
  readonly bodies: readonly BodyGraph[];
  /** Of a node of the operator Constant; its name is the output's. */
  readonly constant: { readonly output: string; readonly value: ConstantValue } | null;
}

interface Attribute {
  readonly name: string;
  readonly message: MessageRange;
  /** The last field of each number: the bytes in it, or those of the number itself. */
  readonly fields: ReadonlyMap<number, MessageRange>;
  readonly floats: CollectedValues;
  readonly ints: CollectedValues;
  readonly graphs: readonly MessageRange[];
  /** Parts of one graph, as the wire format allows. */
  readonly graph: readonly MessageRange[];
}

const EMPTY: NodeContents = { bodies: [], constant: null };

/** The graphs inside a node and, of a Constant node, its value. @throws CheckpointError malformed, truncated, too-large */
export async function readNode(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<NodeContents> {
  const ranges: MessageRange[] = [];
  const texts = new Map<number, MessageRange>();
  await visitFields(ahead, message, {
    place,
    visit: (field) => {
      if (field.kind !== 'bytes') return;
      if (field.number === NODE.attribute) add(ranges, field, place);
      else if (field.number === NODE.opType || field.number === NODE.domain) texts.set(field.number, field);
      else if (field.number === NODE.output && !texts.has(NODE.output)) texts.set(NODE.output, field);
    },
  });
  if (ranges.length === 0) return EMPTY;
  const isConstant = (await isText(ahead, texts.get(NODE.opType), ['Constant'])) && (await isText(ahead, texts.get(NODE.domain), ['', 'ai.onnx']));
  const bodies: BodyGraph[] = [];
  let value: ConstantValue | null = null;
  for (const range of ranges) {
    const attribute = await readAttribute(ahead, range, { place, isConstant });
    if (attribute === null) continue;
    bodies.push(...bodiesOf(attribute));
    if (isConstant) value = constantOf(attribute) ?? value;
  }
  if (!isConstant) return bodies.length === 0 ? EMPTY : { bodies, constant: null };
  const output = texts.get(NODE.output);
  return { bodies, constant: { output: output === undefined ? '' : await readText(ahead, output, place), value: value ?? { kind: 'none', attribute: '' } } };
}

function add(ranges: MessageRange[], range: MessageRange, place: ErrorPlace): void {
  if (ranges.push(range) > MAX_ATTRIBUTES)
    throw new CheckpointError('too-large', `A node has more than ${MAX_ATTRIBUTES} attributes.`, { place: { ...place, offset: range.offset } });
}

/** An absent field is the empty text. */
async function isText(ahead: ReadAhead, range: MessageRange | undefined, wanted: readonly string[]): Promise<boolean> {
  if (range === undefined || range.length === 0) return wanted.includes('');
  if (range.length > MAX_COMPARED_BYTES) return false;
  const bytes = (ahead.peek(range.offset, range.length) ?? (await ahead.load(range.offset, range.length))).subarray(0, range.length);
  return wanted.includes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/** `null` for an attribute that neither holds a graph nor belongs to a Constant. */
async function readAttribute(
  ahead: ReadAhead,
  message: MessageRange,
  { place, isConstant }: { readonly place: ErrorPlace; readonly isConstant: boolean },
): Promise<Attribute | null> {
  const fields = new Map<number, MessageRange>();
  const floats: CollectedValues = { runs: [], single: 0 };
  const ints: CollectedValues = { runs: [], single: 0 };
  const graphs: MessageRange[] = [];
  const graph: MessageRange[] = [];
  await visitFields(ahead, message, {
    place,
    visit: (field) => {
      if (field.number === ATTRIBUTE.floats) addValue(floats, field);
      else if (field.number === ATTRIBUTE.ints) addValue(ints, field);
      else if (field.number === ATTRIBUTE.int && field.kind === 'varint') fields.set(field.number, message);
      else if (field.number === ATTRIBUTE.float && field.kind === 'fixed32') fields.set(field.number, { offset: field.offset, length: 4 });
      else if (field.kind !== 'bytes') return;
      else if (field.number === ATTRIBUTE.graph) add(graph, field, place);
      else if (field.number === ATTRIBUTE.graphs) add(graphs, field, place);
      else fields.set(field.number, field);
    },
  });
  if (!isConstant && graph.length === 0 && graphs.length === 0) return null;
  const name = fields.get(ATTRIBUTE.name);
  return { name: name === undefined ? '' : await readText(ahead, name, place), message, fields, floats, ints, graphs, graph };
}

function bodiesOf({ name, graph, graphs }: Attribute): BodyGraph[] {
  const single = graph.length === 0 ? [] : [{ attribute: name, ranges: graph }];
  return [...single, ...graphs.map((range, index) => ({ attribute: index === 0 ? name : `${name}[${index}]`, ranges: [range] }))];
}

/** The attributes of the operator Constant (Operators.md). */
function constantOf({ name, message, fields, floats, ints }: Attribute): ConstantValue | null {
  const inside = (kind: 'tensor' | 'sparse', number: number): ConstantValue => {
    const range = fields.get(number);
    return range === undefined ? { kind: 'none', attribute: name } : { kind, message: range };
  };
  switch (name) {
    case 'value':
      return inside('tensor', ATTRIBUTE.tensor);
    case 'sparse_value':
      return inside('sparse', ATTRIBUTE.sparseTensor);
    case 'value_float':
      return { kind: 'float', field: fields.get(ATTRIBUTE.float) ?? null };
    case 'value_int':
      return { kind: 'int', message: fields.has(ATTRIBUTE.int) ? message : null };
    case 'value_floats':
      return { kind: 'floats', message, values: floats };
    case 'value_ints':
      return { kind: 'ints', message, values: ints };
    case 'value_string':
    case 'value_strings':
      return { kind: 'none', attribute: name };
    default:
      return null;
  }
}
