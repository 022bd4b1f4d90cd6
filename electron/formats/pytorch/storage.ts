import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import type { PickleValue } from '../../encodings/pickle/pickleValue';
import { storageDType } from './torchNames';

/** What a persistent reference to a storage says. */
export interface StorageId {
  readonly key: string;
  readonly dtype: DType;
  /** Number of elements of `dtype`. */
  readonly elements: number;
  /** Legacy container: part of a larger storage, in elements. */
  readonly view: { readonly offset: number; readonly elements: number } | null;
}

/** Where the bytes of a storage lie in the file. */
export interface StoragePlace {
  /** Tells storages apart, also empty ones at one place. */
  readonly identity: string;
  readonly offset: number;
  readonly bytes: number;
}

export interface StorageTable {
  readonly bigEndian: boolean;
  /** @throws CheckpointError when the storage is missing, too short or cannot be read in place. */
  locate(id: StorageId): StoragePlace;
}

/**
 * `('storage', class, key, location, elements)`, in the legacy container with a sixth item: None or `(key, offset, elements)`
 * of a view (torch/serialization.py `persistent_id`). Locations (cpu, cuda:0) mean nothing here.
 * @returns a reason for people when it is no storage that we read.
 */
export function parseStorageId(value: PickleValue): StorageId | { readonly reason: string } {
  if (value.kind !== 'persistent' || value.id.kind !== 'tuple') return { reason: 'its storage is no reference to a storage' };
  const [tag, type, key, , elements, view] = value.id.items;
  if (tag?.kind !== 'string' || tag.value !== 'storage' || type === undefined || key === undefined || elements === undefined) {
    return { reason: 'its storage is no reference to a storage' };
  }
  const name = key.kind === 'string' ? key.value : key.kind === 'int' ? String(key.value) : null;
  if (name === null || elements.kind !== 'int' || elements.value < 0) return { reason: 'the reference to its storage is malformed' };
  const dtype = storageDType(type);
  if (typeof dtype !== 'string') return { reason: `its storage is of type ${dtype.unread}, which is not read` };
  if (view === undefined || view.kind === 'none') return { key: name, dtype, elements: elements.value, view: null };
  if (view.kind !== 'tuple') return { reason: 'the reference to its storage is malformed' };
  const [, start, length] = view.items;
  if (start?.kind !== 'int' || length?.kind !== 'int' || start.value < 0 || length.value < 0) return { reason: 'the reference to its storage is malformed' };
  return { key: name, dtype, elements: elements.value, view: { offset: start.value, elements: length.value } };
}

/** For a storage with fewer bytes than the pickle says. */
export function tooShort(
  key: string,
  { needed, found, offset }: { readonly needed: number; readonly found: number; readonly offset: number },
): CheckpointError {
  return new CheckpointError('truncated', `Storage ${clipKey(key)} should have ${needed} bytes, but only ${found} are there.`, {
    place: { offset },
    hint: 'The file was probably cut off or damaged. Fetch it again.',
  });
}

export function clipKey(key: string): string {
  return key.length > 40 ? `${key.slice(0, 39)}…` : key;
}
