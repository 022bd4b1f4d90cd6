import { type DType, isDType } from '../../../shared/model/dtype';
import type { PickleValue } from '../../encodings/pickle/pickleValue';

/** Storage classes of module `torch` and the type of their elements (torch/storage.py `_dtype_to_storage_type_map`). */
const STORAGE_DTYPES: ReadonlyMap<string, DType> = new Map([
  ['DoubleStorage', 'float64'],
  ['FloatStorage', 'float32'],
  ['HalfStorage', 'float16'],
  ['BFloat16Storage', 'bfloat16'],
  ['LongStorage', 'int64'],
  ['IntStorage', 'int32'],
  ['ShortStorage', 'int16'],
  ['CharStorage', 'int8'],
  ['ByteStorage', 'uint8'],
  ['BoolStorage', 'bool'],
  ['ComplexFloatStorage', 'complex64'],
  ['ComplexDoubleStorage', 'complex128'],
  // Its elements are bytes; who uses it says the type.
  ['UntypedStorage', 'uint8'],
  ['_UntypedStorage', 'uint8'],
]);

/** Other names of the same types in module `torch`. */
const DTYPE_ALIASES: ReadonlyMap<string, DType> = new Map([
  ['double', 'float64'],
  ['float', 'float32'],
  ['half', 'float16'],
  ['long', 'int64'],
  ['int', 'int32'],
  ['short', 'int16'],
  ['cfloat', 'complex64'],
  ['cdouble', 'complex128'],
  ['chalf', 'complex32'],
]);

/** The storage class for a type, or `null` when torch keeps the type in an UntypedStorage (torch/_utils.py `_rebuild_tensor_v3`). */
export function storageClass(dtype: DType): string | null {
  for (const [name, stored] of STORAGE_DTYPES) if (stored === dtype) return name;
  return null;
}

/** Element type of a storage class; a name for people when we do not read it. */
export function storageDType(value: PickleValue): DType | { readonly unread: string } {
  const name = globalName(value);
  if (name === null) return { unread: 'something that is no class' };
  const match = /^torch(?:\.cuda|\.storage)?\.(\w+)$/.exec(name);
  return STORAGE_DTYPES.get(match?.[1] ?? '') ?? { unread: name };
}

/** `torch.float8_e4m3fn` and the like. */
export function torchDType(value: PickleValue): DType | { readonly unread: string } {
  const name = globalName(value);
  if (name === null || !name.startsWith('torch.')) return { unread: name ?? 'something that is no type' };
  const short = name.slice('torch.'.length);
  if (isDType(short)) return short;
  return DTYPE_ALIASES.get(short) ?? { unread: name };
}

/**
 * `module.name` of a class or function; `null` for other values. The legacy container writes the classes of modules as
 * persistent references `('module', class, file, source)`; the source is ignored.
 */
export function globalName(value: PickleValue): string | null {
  if (value.kind === 'global') return `${value.module}.${value.name}`;
  if (value.kind !== 'persistent' || value.id.kind !== 'tuple') return null;
  const [tag, of] = value.id.items;
  return tag?.kind === 'string' && tag.value === 'module' && of?.kind === 'global' ? `${of.module}.${of.name}` : null;
}
