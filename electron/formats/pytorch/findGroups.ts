import { formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import type { MetadataEntry, SkippedEntry } from '../../../shared/model/checkpoint';
import type { PickleEntry, PickleValue } from '../../encodings/pickle/pickleValue';
import type { TensorRef } from '../../tensors/tensorRef';
import type { FileGroup, ReadOptions } from '../format';
import { arrayScalarText } from './arrayText';
import { childrenOf } from './childrenOf';
import type { OpenedContainer } from './container';
import { placeArray } from './placeArray';
import { hasPossibleSize, placeTensor } from './placeTensor';
import { rebuildArray } from './rebuildArray';
import { rebuildTensor, type TensorDescription } from './rebuildTensor';
import { clip, leafText } from './scalarText';

/**
 * Values looked at, each as often as it is reached: a few shared lists can stand for 2^60 paths. Real checkpoints have some ten
 * thousand tensors, vocabularies some hundred thousand items.
 */
const MAX_VISITS = 1_000_000;
/** Deepest nesting; optimiser states have about five levels. */
const MAX_DEPTH = 100;
/** Longest key; together with the depth it bounds the length of names. */
const MAX_KEY = 4096;
/** Entries of each list that are kept for people to look through. */
const MAX_LISTED = 5000;

export interface Found {
  readonly groups: readonly FileGroup[];
  readonly skipped: readonly SkippedEntry[];
  readonly metadata: readonly MetadataEntry[];
}

interface Frame {
  readonly value: PickleValue;
  readonly keys: readonly string[];
  readonly children: readonly PickleEntry[];
  next: number;
}

/** Finds tensors, values and what else there is in the data of a checkpoint, in its order. Shared and circular data ends. */
export function findGroups(container: OpenedContainer, options: ReadOptions): Found {
  const collector = new Collector(container, options);
  const stack: Frame[] = [];
  const open = new Set<PickleValue>();
  let visits = 0;
  const enter = (value: PickleValue, keys: readonly string[]): void => {
    const children = collector.take(value, keys);
    if (children === null) return;
    if (open.has(value)) return void collector.skip(keys, 'it contains itself');
    if (keys.length >= MAX_DEPTH) return void collector.skip(keys, `it lies more than ${MAX_DEPTH} levels deep`);
    visits += children.length;
    if (visits > MAX_VISITS) {
      throw new CheckpointError('too-large', `The data of this checkpoint unfolds into more than ${formatCount(MAX_VISITS)} values.`, {
        place: { file: options.file },
      });
    }
    open.add(value);
    stack.push({ value, keys, children, next: 0 });
  };
  enter(container.value, []);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const child = frame.children[frame.next++];
    if (child === undefined) {
      open.delete(frame.value);
      stack.pop();
      continue;
    }
    const key = keyText(child[0]);
    if (key === null) collector.skip([...frame.keys, '…'], 'its key is neither text nor a number');
    else if (key.length > MAX_KEY) collector.skip([...frame.keys, clip(key)], `its name has more than ${MAX_KEY} characters`);
    else enter(child[1], [...frame.keys, key]);
  }
  return collector.found();
}

function keyText(key: PickleValue): string | null {
  return key.kind === 'string' ? key.value : leafText(key);
}

/** Name for people; the whole has no keys, an empty key is a name too. */
export const ROOT_NAME = '(root)';

function nameOf(keys: readonly string[]): string {
  return keys.length === 0 ? ROOT_NAME : clip(keys.join('/'));
}

class Collector {
  readonly #container: OpenedContainer;
  readonly #options: ReadOptions;
  readonly #groups: FileGroup[] = [];
  readonly #skipped: SkippedEntry[] = [];
  readonly #metadata: MetadataEntry[] = [];
  readonly #names = new Set<string>();
  /** Name of the first group of each identity. */
  readonly #first = new Map<string, string>();
  #unlistedSkipped = 0;
  #unlistedMetadata = 0;

  constructor(container: OpenedContainer, options: ReadOptions) {
    this.#container = container;
    this.#options = options;
  }

  /** Records what the value is; its children when there are some to look at. */
  take(value: PickleValue, keys: readonly string[]): readonly PickleEntry[] | null {
    const tensor = rebuildTensor(value);
    if (tensor !== null) {
      if (tensor.kind === 'unread') this.skip(keys, tensor.reason);
      else this.#tensor(tensor, keys);
      return null;
    }
    const array = rebuildArray(value);
    if (array !== null) {
      if (array.kind === 'unread') return this.skip(keys, array.reason);
      const text = array.kind === 'scalar' ? arrayScalarText(array) : null;
      if (text !== null) this.describe(keys, text);
      else
        this.#group(keys, { dtype: array.dtype, shape: array.shape }, () => ({ ref: placeArray(array, this.#container, this.#options.ref), identity: null }));
      return null;
    }
    const text = leafText(value);
    if (text !== null) {
      this.describe(keys, text);
      return null;
    }
    const inside = childrenOf(value);
    if ('reason' in inside) return this.skip(keys, inside.reason);
    if (inside.note !== null) this.describe(keys, inside.note);
    for (const [key, reason] of inside.ignored) this.skip([...keys, key], reason);
    return inside.children;
  }

  skip(keys: readonly string[], reason: string): null {
    if (this.#skipped.length < MAX_LISTED) this.#skipped.push({ name: nameOf(keys), reason });
    else this.#unlistedSkipped++;
    return null;
  }

  describe(keys: readonly string[], value: string): void {
    if (this.#metadata.length < MAX_LISTED) this.#metadata.push({ key: nameOf(keys), value });
    else this.#unlistedMetadata++;
  }

  found(): Found {
    const metadata = [...this.#metadata];
    if (this.#container.note !== null) metadata.unshift({ key: '(container)', value: this.#container.note });
    if (this.#unlistedMetadata > 0) metadata.push({ key: '…', value: `${formatCount(this.#unlistedMetadata)} more values` });
    const skipped = [...this.#skipped];
    if (this.#unlistedSkipped > 0) skipped.push({ name: '…', reason: `${formatCount(this.#unlistedSkipped)} more entries that are not read` });
    return { groups: this.#groups, skipped, metadata };
  }

  #tensor(tensor: TensorDescription, keys: readonly string[]): void {
    if (!hasPossibleSize(tensor)) {
      this.skip(keys, `the shape [${tensor.shape.slice(0, 16).join(', ')}] is larger than any tensor can be`);
      return;
    }
    this.#group(keys, tensor, () => placeTensor(tensor, this.#container.storages, this.#options.ref));
  }

  #group(keys: readonly string[], { dtype, shape }: Pick<FileGroup, 'dtype' | 'shape'>, locate: () => { ref: TensorRef; identity: string | null }): void {
    const name = keys.join('/');
    if (this.#names.has(name)) {
      this.skip(keys, 'another tensor has the same name');
      return;
    }
    this.#names.add(name);
    let data: TensorRef | ErrorData;
    let tiedTo: string | null = null;
    try {
      const { ref, identity } = locate();
      data = ref;
      tiedTo = (identity === null ? undefined : this.#first.get(identity)) ?? null;
      if (identity !== null && tiedTo === null) this.#first.set(identity, name);
    } catch (error) {
      data = CheckpointError.from(error).at({ file: this.#options.file, group: name }).toData();
    }
    this.#groups.push({ keys, dtype, shape, data, tiedTo });
  }
}
