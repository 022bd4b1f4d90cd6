import type { DType } from '../../../shared/model/dtype';
import { elementCount, type Shape } from '../../../shared/model/shape';
import type { PickleObject, PickleValue } from '../../encodings/pickle/pickleValue';
import type { Budget } from './budget';
import { dictEntries } from './dictEntries';
import { parseStorageId, type StorageId } from './storage';
import { globalName, torchDType } from './torchNames';

/** A tensor as the pickle describes it; offset and strides count elements of `dtype`. */
export interface TensorDescription {
  readonly kind: 'tensor';
  readonly storage: StorageId;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** A tensor that we do not read, with the reason for people. */
export interface UnreadTensor {
  readonly kind: 'unread';
  readonly reason: string;
}

/** Parameters in parameters, subclasses of subclasses: real files have at most three. */
const MAX_WRAPPERS = 16;

/** Functions whose first argument is a tensor and whose others say nothing about its values. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'torch._utils._rebuild_parameter',
  'torch._utils._rebuild_parameter_with_state',
  'torch.nn.parameter.Parameter',
  'torch.nn.parameter.Buffer',
  'torch.autograd.variable.Variable',
]);

/** `(function, type, arguments, state)` of subclasses and of tensors with attributes. */
const FROM_TYPE: ReadonlySet<string> = new Set(['torch._tensor._rebuild_from_type', 'torch._tensor._rebuild_from_type_v2', 'torch.tensor._rebuild_from_type']);

const UNREAD: ReadonlyMap<string, string> = new Map([
  ['torch._utils._rebuild_qtensor', 'a quantised tensor: its integers mean nothing without their scale and zero point'],
  ['torch._utils._rebuild_sparse_tensor', 'a sparse tensor: only dense tensors are read'],
  ['torch._utils._rebuild_sparse_csr_tensor', 'a sparse tensor: only dense tensors are read'],
  ['torch._utils._rebuild_nested_tensor', 'a nested tensor: its rows have different lengths'],
  ['torch._utils._rebuild_meta_tensor_no_storage', 'a tensor on the meta device, which has a shape but no values'],
  ['torch._utils._rebuild_wrapper_subclass', 'a tensor subclass that computes its values itself'],
  ['torch._utils._rebuild_device_tensor_from_numpy', 'a tensor of another device, kept as a NumPy array'],
  ['torch._utils._rebuild_device_tensor_from_cpu_tensor', 'a tensor of another device, kept in a form that is not read'],
  ['torch._utils._rebuild_xla_tensor', 'a tensor of an XLA device, kept in a form that is not read'],
  ['torch._utils._rebuild_mlc_tensor', 'a tensor of another device, kept in a form that is not read'],
  ['torch.storage._load_from_bytes', 'a storage pickled by itself, without torch.save'],
]);

/**
 * The tensor that torch would rebuild from `value`; `null` when it is none (torch/_utils.py).
 * The data of a parameter and of a subclass's plain tensor is that tensor.
 */
export function rebuildTensor(value: PickleValue, budget: Budget): TensorDescription | UnreadTensor | null {
  let callable = value.kind === 'object' ? value.callable : null;
  let args: readonly PickleValue[] = value.kind === 'object' ? value.args.items : [];
  for (let depth = 0; callable !== null; depth++) {
    const name: string | null = globalName(callable);
    if (name === null) return null;
    if (depth > MAX_WRAPPERS) return { kind: 'unread', reason: 'it is wrapped more often than any real parameter' };
    if (WRAPPERS.has(name)) {
      const inner: PickleValue | undefined = args[0];
      if (inner?.kind !== 'object') return { kind: 'unread', reason: 'a parameter that holds no tensor' };
      ({ callable } = inner);
      args = inner.args.items;
    } else if (FROM_TYPE.has(name)) {
      const [next, , inner]: readonly PickleValue[] = args;
      if (next === undefined || inner?.kind !== 'tuple') return { kind: 'unread', reason: 'the description of the tensor is malformed' };
      callable = next;
      args = inner.items;
    } else {
      return plainTensor(name, args, budget);
    }
  }
  return null;
}

function plainTensor(name: string, args: readonly PickleValue[], budget: Budget): TensorDescription | UnreadTensor | null {
  switch (name) {
    case 'torch._utils._rebuild_tensor':
    case 'torch._utils._rebuild_tensor_v2':
      return flagged(args[6], budget) ?? tensorOf(args, null);
    case 'torch._utils._rebuild_tensor_v3':
      return flagged(args[7], budget) ?? tensorOf(args, args[6] ?? null);
    default: {
      const reason = UNREAD.get(name);
      return reason === undefined ? null : { kind: 'unread', reason };
    }
  }
}

/** The last argument may say that the values are to be conjugated or negated when they are read. */
function flagged(metadata: PickleValue | undefined, budget: Budget): UnreadTensor | null {
  if (metadata === undefined || metadata.kind === 'none') return null;
  for (const [key, value] of dictEntries(metadata, budget) ?? []) {
    if (key.kind === 'string' && (key.value === 'conj' || key.value === 'neg') && value.kind === 'bool' && value.value) {
      return {
        kind: 'unread',
        reason: `its values are stored ${key.value === 'conj' ? 'without the conjugation' : 'with the opposite sign'}, which PyTorch applies when it loads them`,
      };
    }
  }
  return null;
}

function tensorOf(args: readonly PickleValue[], type: PickleValue | null): TensorDescription | UnreadTensor {
  const [storage, offset, size, stride] = args;
  const malformed: UnreadTensor = { kind: 'unread', reason: 'the description of the tensor is malformed' };
  if (storage === undefined || offset?.kind !== 'int' || size === undefined || stride === undefined || offset.value < 0) return malformed;
  const id = parseStorageId(storage);
  if ('reason' in id) return { kind: 'unread', reason: id.reason };
  const dtype = type === null ? id.dtype : torchDType(type);
  if (typeof dtype !== 'string') return { kind: 'unread', reason: `its elements are of type ${dtype.unread}, which is not read` };
  const shape = extents(size);
  const strides = extents(stride);
  if (shape === null || strides === null || shape.length !== strides.length) return malformed;
  try {
    elementCount(shape);
  } catch {
    return { kind: 'unread', reason: `the shape [${shape.slice(0, 16).join(', ')}] is larger than any tensor can be` };
  }
  return { kind: 'tensor', storage: id, dtype, shape, strides, offset: offset.value };
}

/** PyTorch itself stops at 64 axes; NumPy has 32. */
const MAX_AXES = 64;

/** A tuple of non-negative integers, or a torch.Size of one. */
export function extents(value: PickleValue): number[] | null {
  const tuple = value.kind === 'object' && globalName(value.callable) === 'torch.Size' ? value.args.items[0] : value;
  if ((tuple?.kind !== 'tuple' && tuple?.kind !== 'list') || tuple.items.length > MAX_AXES) return null;
  const numbers: number[] = [];
  for (const item of tuple.items) {
    if (item.kind !== 'int' || item.value < 0) return null;
    numbers.push(item.value);
  }
  return numbers;
}

/** Whether calling this would make a tensor in PyTorch, read by us or not. */
export function isTensor(value: PickleValue, budget: Budget): value is PickleObject {
  return rebuildTensor(value, budget) !== null;
}
