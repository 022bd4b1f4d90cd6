import { CheckpointError } from '../../../shared/contract/errors';
import type { Shape } from '../../../shared/model/shape';
import type { MessageRange, ScalarField } from '../../encodings/protobuf/scanFields';
import { constantNumbers } from './constantNumbers';
import type { FoundTensor } from './findTensors';
import type { GroupContent } from './groupContent';
import { onnxType, otherTypeName } from './onnxTypes';
import { readShape, readTensorProto, storedBytes, type TensorProto } from './readTensorProto';
import { type DataContext, tensorData } from './tensorData';
import { visitFields } from './visitFields';

/** Fields of SparseTensorProto. */
const SPARSE = { values: 1, indices: 2, dims: 3 } as const;

/** A tensor as parameter groups. */
export interface TensorParts {
  /** In its graph; `''` where it has none. */
  readonly name: string;
  /** One with no name of its own; of a sparse tensor two. */
  readonly parts: readonly { readonly part: string | null; readonly group: GroupContent }[];
  /** What the groups are, where their own types do not say it: `int4 [3, 5], packed two to a byte`. */
  readonly type: string | null;
  /** Why there are no groups. */
  readonly skipped: string | null;
}

/** What a tensor is as parameter groups, or why it is none. @throws CheckpointError malformed, truncated, too-large */
export async function toParts({ name, value }: FoundTensor, context: DataContext): Promise<TensorParts> {
  const { ahead, options } = context;
  switch (value.kind) {
    case 'tensor': {
      const proto = await readTensorProto(ahead, value.message, { file: options.file });
      return denseParts({ ...proto, name: name ?? proto.name }, context);
    }
    case 'sparse':
      return sparseParts(value.message, name, context);
    case 'none':
      return skip(
        name ?? '',
        value.attribute === '' ? 'A Constant node without a value.' : `A Constant node with ${value.attribute}, which is no tensor of numbers.`,
      );
    default:
      return { name: name ?? '', parts: [{ part: null, group: await constantNumbers(value, name ?? '', context) }], type: null, skipped: null };
  }
}

function skip(name: string, reason: string): TensorParts {
  return { name, parts: [], type: null, skipped: reason };
}

async function denseParts(proto: TensorProto, context: DataContext): Promise<TensorParts> {
  const { name, shape, typeCode, external } = proto;
  const type = onnxType(typeCode);
  if (shape === null) return skip(name, 'A tensor whose shape is broken.');
  if (type === undefined) {
    const bytes = external === null ? `${storedBytes(proto)} bytes` : `values lie in the file ${JSON.stringify(external.location)} and`;
    return skip(name, `A tensor of the type ${otherTypeName(typeCode)} [${shape.join(', ')}], which is not read; its ${bytes} stay as they are.`);
  }
  if (type.perByte === 1) return { name, parts: [{ part: null, group: await toGroup({ ...proto, shape }, context) }], type: null, skipped: null };
  const elements = countOf(shape);
  if (elements === null) return skip(name, 'A tensor whose shape cannot be counted.');
  const group = await toGroup({ ...proto, shape: [Math.ceil(elements / type.perByte)] }, context, elements);
  const packing = type.perByte === 2 ? 'two' : 'four';
  return {
    name,
    parts: [{ part: null, group }],
    type: `${otherTypeName(typeCode).toLowerCase()} [${shape.join(', ')}], packed ${packing} to a byte`,
    skipped: null,
  };
}

/** @param elements of the tensor, where several share a byte: the shape is that of the bytes then */
async function toGroup(proto: TensorProto & { readonly shape: Shape }, context: DataContext, elements: number | null = null): Promise<GroupContent> {
  const type = onnxType(proto.typeCode);
  if (type === undefined) throw new CheckpointError('internal', 'The type was looked for before.');
  const { shape, external } = proto;
  return {
    dtype: type.dtype,
    shape,
    data: await tensorData(proto, { type, elements }, context),
    ...(external === null ? {} : { external: external.location }),
  };
}

function countOf(shape: Shape): number | null {
  const count = shape.includes(0) ? 0 : shape.reduce((product, extent) => product * extent, 1);
  return Number.isSafeInteger(count) ? count : null;
}

/** The name of a sparse tensor is that of its values (onnx.proto, SparseTensorProto). */
async function sparseParts(message: MessageRange, given: string | null, context: DataContext): Promise<TensorParts> {
  const { ahead, options } = context;
  const place = { file: options.file };
  const found = new Map<number, MessageRange>();
  const dims: ScalarField[] = [];
  await visitFields(ahead, message, {
    place,
    visit: (field) => {
      if (field.number === SPARSE.dims) dims.push(field);
      else if (field.kind === 'bytes') found.set(field.number, field);
    },
  });
  const read = async (number: number) => {
    const range = found.get(number);
    return range === undefined ? null : readTensorProto(ahead, range, place);
  };
  const values = await read(SPARSE.values);
  const indices = await read(SPARSE.indices);
  const name = given ?? values?.name ?? '';
  if (values === null || indices === null) return skip(name, 'A sparse tensor without its values or its indices.');
  const dense = await readShape(ahead, dims, place);
  const parts: { part: string; group: GroupContent }[] = [];
  for (const [part, proto] of [['#values', values] as const, ['#indices', indices] as const]) {
    const inner = await denseParts({ ...proto, name }, context);
    const [own] = inner.parts;
    if (own === undefined || inner.type !== null) return skip(name, `A sparse tensor whose ${part.slice(1)} are not read: ${inner.skipped ?? inner.type}`);
    parts.push({ part, group: own.group });
  }
  const [count] = values.shape ?? [];
  const type = `sparse ${parts[0]?.group.dtype} [${dense?.join(', ') ?? 'broken shape'}], ${count ?? 0} ${count === 1 ? 'value' : 'values'}`;
  return { name, parts, type, skipped: null };
}
