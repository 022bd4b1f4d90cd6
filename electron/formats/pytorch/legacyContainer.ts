import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes } from '../../../shared/model/dtype';
import type { ByteSource } from '../../bytes/byteSource';
import type { PicklePersistent, PickleValue } from '../../encodings/pickle/pickleValue';
import { readPickle } from '../../encodings/pickle/readPickle';
import type { ReadOptions } from '../format';
import { MAX_PICKLE_BYTES, type OpenedContainer } from './container';
import { clipKey, parseStorageId, type StorageTable, tooShort } from './storage';

const MAGIC = 0x1950a86a20f9469cfc6cn;
const PROTOCOL_VERSION = 1001;
/** Enough for the pickles of most checkpoints; more is read when they go on. */
const FIRST_WINDOW_BYTES = 1024 * 1024;
const HEADS_AT_ONCE = 64;

interface Pickles {
  readonly bytes: Uint8Array;
  readonly value: PickleValue;
  readonly persistent: readonly PicklePersistent[];
  readonly keys: readonly string[];
  readonly end: number;
}

/** Where one storage lies, or why that is not known. */
type Located = { readonly offset: number; readonly bytes: number } | { readonly error: CheckpointError };

/**
 * The container before PyTorch 1.6: pickles of a magic number, a protocol version, the writer's machine, the object and the list of storage
 * keys; then each storage as a 64-bit number of elements and the elements, always little-endian (torch/serialization.py
 * `_legacy_save`, `_legacy_load`; torch/csrc/serialization.cpp `THPStorage_writeFileRaw`).
 */
export async function openLegacyContainer(source: ByteSource, { file, signal }: ReadOptions): Promise<OpenedContainer> {
  try {
    const pickles = await readPickles(source, signal);
    const places = await locateStorages(source, pickles, signal);
    return {
      value: pickles.value,
      pickleBytes: pickles.bytes,
      pickleOffset: 0,
      storages: storageTable(places),
      note: 'written in the form that PyTorch used before 1.6',
    };
  } catch (error) {
    throw CheckpointError.from(error).at({ file });
  }
}

/** How long the pickles are is known only when they are read: the window grows until they fit. */
async function readPickles(source: ByteSource, signal: AbortSignal | undefined): Promise<Pickles> {
  const most = Math.min(source.length, MAX_PICKLE_BYTES);
  for (let window = Math.min(most, FIRST_WINDOW_BYTES); ; window = Math.min(most, window * 8)) {
    throwIfCancelled(signal);
    try {
      return parse(await source.read(0, window));
    } catch (error) {
      if (!isCheckpointError(error, 'truncated') || window === source.length) throw error;
      if (window === most) throw new CheckpointError('too-large', 'The pickle of this checkpoint is larger than any that is read.', { cause: error });
    }
  }
}

function parse(bytes: Uint8Array): Pickles {
  const magic = readPickle(bytes);
  if (magic.value.kind !== 'long' || magic.value.value !== MAGIC)
    throw new CheckpointError('malformed', 'The file does not start with the magic number of PyTorch.');
  const version = readPickle(bytes, { start: magic.end });
  if (version.value.kind !== 'int' || version.value.value !== PROTOCOL_VERSION) {
    throw new CheckpointError('unsupported-format', `This PyTorch file is not of version ${PROTOCOL_VERSION}, the only one that PyTorch ever used.`, {
      place: { offset: magic.end },
    });
  }
  // The writer's byte order and type sizes; the storages do not depend on them.
  const machine = readPickle(bytes, { start: version.end });
  const object = readPickle(bytes, { start: machine.end });
  const keys = readPickle(bytes, { start: object.end });
  if (keys.value.kind !== 'list') throw new CheckpointError('malformed', 'The list of storages is missing.', { place: { offset: object.end } });
  const names = keys.value.items.map((key) => {
    if (key.kind === 'string') return key.value;
    if (key.kind === 'int') return String(key.value);
    throw new CheckpointError('malformed', 'The list of storages has a key that is no text.', { place: { offset: object.end } });
  });
  return { bytes, value: object.value, persistent: object.persistent, keys: names, end: keys.end };
}

/**
 * Each storage starts where the one before ends, so the pickle's own sizes say where all of them are; the sizes in the file are then
 * checked in parallel. Behind one that disagrees, nothing is known.
 */
async function locateStorages(source: ByteSource, { persistent, keys, end }: Pickles, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, Located>> {
  const declared = new Map<string, { elements: number; bytes: number }>();
  for (const value of persistent) {
    const id = parseStorageId(value);
    if ('key' in id && !declared.has(id.key)) declared.set(id.key, { elements: id.elements, bytes: id.elements * dtypeBytes(id.dtype) });
  }
  const planned: { key: string; offset: number; elements: number; bytes: number }[] = [];
  const places = new Map<string, Located>();
  let position = end;
  let lost: CheckpointError | null = null;
  for (const key of keys) {
    const size = declared.get(key);
    lost ??= size === undefined ? unknownPlace(key) : null;
    if (size === undefined || lost !== null) {
      places.set(key, { error: lost ?? unknownPlace(key) });
      continue;
    }
    const offset = position + 8;
    if (offset + size.bytes > source.length) {
      lost = tooShort(key, { needed: size.bytes, found: Math.max(0, source.length - offset), offset });
      places.set(key, { error: lost });
      continue;
    }
    planned.push({ key, offset, ...size });
    position = offset + size.bytes;
  }
  let disagree: CheckpointError | null = null;
  for (let start = 0; start < planned.length; start += HEADS_AT_ONCE) {
    throwIfCancelled(signal);
    const batch = planned.slice(start, start + HEADS_AT_ONCE);
    const heads = await Promise.all(batch.map(({ offset }) => source.read(offset - 8, 8)));
    for (const [index, { key, offset, elements, bytes }] of batch.entries()) {
      const head = heads[index];
      const found = head === undefined ? -1n : new DataView(head.buffer, head.byteOffset, 8).getBigInt64(0, true);
      if (found !== BigInt(elements))
        disagree ??= new CheckpointError('malformed', `Storage ${clipKey(key)} says that it has ${found} elements, but the pickle says ${elements}.`, {
          place: { offset },
        });
      places.set(key, disagree === null ? { offset, bytes } : { error: disagree });
    }
  }
  return places;
}

function unknownPlace(key: string): CheckpointError {
  return new CheckpointError('malformed', `Where this storage lies is not known: nothing says how long storage ${clipKey(key)} before it is.`);
}

function storageTable(places: ReadonlyMap<string, Located>): StorageTable {
  return {
    bigEndian: false,
    locate({ key, dtype, elements, view }) {
      const located = places.get(key);
      if (located === undefined) throw new CheckpointError('malformed', `The file has no storage ${clipKey(key)}.`);
      if ('error' in located) throw located.error;
      const size = dtypeBytes(dtype);
      const from = (view?.offset ?? 0) * size;
      const bytes = (view?.elements ?? elements) * size;
      if (from + bytes > located.bytes) throw tooShort(key, { needed: from + bytes, found: located.bytes, offset: located.offset });
      return { identity: key, offset: located.offset + from, bytes };
    },
  };
}
