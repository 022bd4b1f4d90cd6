import { CheckpointError } from '../../shared/contract/errors';
import { type CommitHash, isCommitHash } from '../../shared/model/commit';
import { isDType } from '../../shared/model/dtype';
import { isJsonArray, isJsonObject, type JsonValue, parseJson } from '../encodings/json/parseJson';
import type { BrokenEntry, ThetaEntry, ThetaMetadata } from './metadata';
import { parseShape } from './parseShape';

/** Signatures have this many numbers (git-theta's LSH_SIGNATURE_SIZE). */
const SIGNATURE_SIZE = 16;
/** Every group repeats the keys above it, so a small file could name gigabytes. A million groups of usual names stay below it. */
const MAX_NAME_BYTES = 128 * 1024 * 1024;
/** What a key costs beside its text. */
const KEY_BYTES = 8;

type JsonObject = ReadonlyMap<string, JsonValue>;

/**
 * A git-theta metadata file: nested dictionaries, in which a dictionary with the key `lfs_metadata` is a parameter group.
 * An entry that is wrong in itself becomes a BrokenEntry; extra keys beside its three dictionaries are ignored, as git-theta does.
 * @throws CheckpointError `malformed` when the file as a whole is not such a file, `too-large` when its names together are, `conflict` when it holds git's conflict markers.
 */
export function parseMetadata(bytes: Uint8Array, file: string): ThetaMetadata {
  const text = decode(bytes, file);
  const marker = /^<{7} /m.exec(text);
  if (marker !== null) {
    throw new CheckpointError('conflict', 'The metadata file holds conflict markers of a text merge.', {
      place: { file, offset: marker.index },
      hint: 'Take one side of the file, then merge the weights: the text of this file must never be merged line by line.',
    });
  }
  const root = parseJson(text, file);
  if (!isJsonObject(root)) throw new CheckpointError('malformed', 'The metadata file is not a dictionary of parameter groups.', { place: { file, offset: 0 } });
  return collect(root, file);
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CheckpointError('malformed', 'The metadata file is not UTF-8 text.', { place: { file }, cause });
  }
}

/** Walks the levels with a stack of its own; children are pushed in reverse so that the file's order is kept. */
function collect(root: JsonObject, file: string): ThetaMetadata {
  const entries = new Map<string, ThetaEntry>();
  const broken: BrokenEntry[] = [];
  const fail = (name: string, what: string) => {
    broken.push({ name, error: { code: 'malformed', message: `The metadata of this parameter group is wrong: ${what}.`, place: { file, group: name } } });
  };
  const pending: { readonly keys: readonly string[]; readonly bytes: number; readonly value: JsonValue }[] = [{ keys: [], bytes: 0, value: root }];
  let nameBytes = 0;
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { keys, bytes, value } = item;
    const name = keys.join('/');
    if (!isJsonObject(value)) {
      fail(name, 'a dictionary is missing');
    } else if (value.has('lfs_metadata') && keys.length > 0) {
      const entry = readEntry(keys, value);
      if (typeof entry === 'string') fail(name, entry);
      else if (entries.has(name)) fail(name, 'another entry has the same joined name');
      else entries.set(name, entry);
    } else {
      const children = [...value].reverse();
      for (const [key, child] of children) {
        const childBytes = bytes + key.length + KEY_BYTES;
        nameBytes += childBytes;
        if (nameBytes > MAX_NAME_BYTES)
          throw new CheckpointError('too-large', 'The metadata file nests longer names than a checkpoint has.', { place: { file } });
        pending.push({ keys: [...keys, key], bytes: childBytes, value: child });
      }
    }
  }
  return { entries, broken };
}

/** The entry, or in words what is wrong with it. */
function readEntry(keys: readonly string[], value: JsonObject): ThetaEntry | string {
  const tensor = value.get('tensor_metadata');
  const theta = value.get('theta_metadata');
  if (!isJsonObject(tensor)) return 'tensor_metadata is missing';
  if (!isJsonObject(theta)) return 'theta_metadata is missing';
  const pointer = readPointer(value.get('lfs_metadata'));
  if (typeof pointer === 'string') return pointer;

  const dtype = tensor.get('dtype');
  if (typeof dtype !== 'string' || !isDType(dtype)) return `dtype ${show(dtype)} is not known`;
  const shapeText = tensor.get('shape');
  const shape = typeof shapeText === 'string' ? parseShape(shapeText, dtype) : null;
  if (shape === null) return `shape ${show(shapeText)} is not a tuple of extents`;
  const updateType = theta.get('update_type');
  if (typeof updateType !== 'string') return 'update_type is missing';
  const lastCommit = readLastCommit(theta.get('last_commit'));
  if (lastCommit === undefined) return `last_commit ${show(theta.get('last_commit'))} is not a commit id`;
  return { keys, name: keys.join('/'), dtype, shape, signature: readSignature(tensor.get('hash')), ...pointer, updateType, lastCommit };
}

function readLastCommit(value: JsonValue | undefined): CommitHash | null | undefined {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' && isCommitHash(value) ? value : undefined;
}

/** git-theta's own averaging merges write `[pointer, null]`, which it cannot read back; the pointer in it is sound. */
function readPointer(value: JsonValue | undefined): { oid: string; bytes: number } | string {
  const pointer = isJsonArray(value) ? value[0] : value;
  if (!isJsonObject(pointer)) return 'lfs_metadata is missing';
  const oid = pointer.get('oid');
  if (typeof oid !== 'string' || !/^[0-9a-f]{64}$/.test(oid)) return `oid ${show(oid)} is not a SHA-256`;
  const size = pointer.get('size');
  const bytes = typeof size === 'string' && /^\d+$/.test(size) ? Number(size) : size;
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return `size ${show(size)} is not a number of bytes`;
  return { oid, bytes };
}

function readSignature(value: JsonValue | undefined): readonly bigint[] | null {
  if (!isJsonArray(value) || value.length !== SIGNATURE_SIZE) return null;
  const numbers: bigint[] = [];
  for (const item of value) {
    if (typeof item === 'bigint') numbers.push(item);
    else if (typeof item === 'number' && Number.isSafeInteger(item)) numbers.push(BigInt(item));
    else return null;
  }
  return numbers;
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return '(missing)';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : isJsonArray(value) || isJsonObject(value) ? '(a container)' : String(value);
}
