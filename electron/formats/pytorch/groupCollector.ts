import { formatCount } from '../../../shared/base/formatBytes';
import { CheckpointError, type ErrorData } from '../../../shared/contract/errors';
import type { MetadataEntry, SkippedEntry } from '../../../shared/model/checkpoint';
import { possibleTensorBytes } from '../../../shared/model/shape';
import type { PickleEntry, PickleValue } from '../../encodings/pickle/pickleValue';
import type { TensorRef } from '../../tensors/tensorRef';
import type { FileGroup, ReadOptions } from '../format';
import { ArrayPlacer } from './arrayPlacer';
import { arrayScalarText } from './arrayText';
import type { Budget } from './budget';
import { childrenOf } from './childrenOf';
import type { OpenedContainer } from './container';
import { placeTensor } from './placeTensor';
import { rebuildArray } from './rebuildArray';
import { rebuildTensor, type TensorDescription } from './rebuildTensor';
import { clip, leafText } from './scalarText';

/** Entries of each list that are kept for people to look through. */
const MAX_LISTED = 5000;
/** What a group costs of the budget, before its name: a few objects of some hundred bytes. */
const GROUP_STEPS = 8;
/** Name for people of the data as a whole, which has no keys; an empty key is a name too. */
const ROOT_NAME = '(root)';

export interface Found {
  readonly groups: readonly FileGroup[];
  readonly skipped: readonly SkippedEntry[];
  readonly metadata: readonly MetadataEntry[];
  /** Whether the whole is something that only calling it could open. */
  readonly opaque: boolean;
}

/** Sorts the values of a checkpoint into parameter groups, plain values and what is not read. */
export class GroupCollector {
  readonly #container: OpenedContainer;
  readonly #options: ReadOptions;
  readonly #budget: Budget;
  readonly #arrays: ArrayPlacer;
  readonly #groups: FileGroup[] = [];
  readonly #skipped: SkippedEntry[] = [];
  readonly #metadata: MetadataEntry[] = [];
  readonly #names = new Set<string>();
  /** Name of the first group of each identity. */
  readonly #first = new Map<string, string>();
  #opaque = false;
  #unlistedSkipped = 0;
  #unlistedMetadata = 0;

  constructor(container: OpenedContainer, options: ReadOptions, budget: Budget) {
    this.#container = container;
    this.#options = options;
    this.#budget = budget;
    this.#arrays = new ArrayPlacer(container, options.ref);
  }

  /** Records what the value is; its children when there are some to look at. */
  take(value: PickleValue, keys: readonly string[]): readonly PickleEntry[] | null {
    const tensor = rebuildTensor(value, this.#budget);
    if (tensor !== null) {
      if (tensor.kind === 'unread') this.skip(keys, tensor.reason);
      else this.#tensor(tensor, keys);
      return null;
    }
    const array = rebuildArray(value);
    if (array !== null) {
      if (array.kind === 'unread') return this.skip(keys, array.reason);
      const text = array.kind === 'scalar' ? arrayScalarText(array) : null;
      if (text !== null) this.#describe(keys, text);
      else this.#group(keys, array, () => ({ ref: this.#arrays.place(array), identity: null }));
      return null;
    }
    const text = leafText(value, this.#budget);
    if (text !== null) {
      this.#describe(keys, text);
      return null;
    }
    const inside = childrenOf(value, this.#budget);
    if ('reason' in inside) {
      if (keys.length === 0) this.#opaque = true;
      return this.skip(keys, inside.reason);
    }
    if (inside.note !== null) this.#describe(keys, inside.note);
    for (const [key, reason] of inside.ignored) this.skip([...keys, key], reason);
    return inside.children;
  }

  skip(keys: readonly string[], reason: string): null {
    if (this.#skipped.length < MAX_LISTED) this.#skipped.push({ name: nameOf(keys), reason: sentence(reason) });
    else this.#unlistedSkipped++;
    return null;
  }

  found(): Found {
    const metadata = [...this.#metadata];
    if (this.#container.note !== null) metadata.unshift({ key: '(container)', value: this.#container.note });
    if (this.#unlistedMetadata > 0) metadata.push({ key: '…', value: `${formatCount(this.#unlistedMetadata)} more values are not listed` });
    const skipped = [...this.#skipped];
    if (this.#unlistedSkipped > 0) skipped.push({ name: '…', reason: `${formatCount(this.#unlistedSkipped)} more entries are not read.` });
    return { groups: this.#groups, skipped, metadata, opaque: this.#opaque };
  }

  #describe(keys: readonly string[], value: string): void {
    if (this.#metadata.length < MAX_LISTED) this.#metadata.push({ key: nameOf(keys), value });
    else this.#unlistedMetadata++;
  }

  #tensor(tensor: TensorDescription, keys: readonly string[]): void {
    if (possibleTensorBytes(tensor.dtype, tensor.shape) !== null)
      this.#group(keys, tensor, () => placeTensor(tensor, this.#container.storages, this.#options.ref));
    else this.skip(keys, `the shape [${tensor.shape.slice(0, 16).join(', ')}] is larger than any tensor can be`);
  }

  #group(keys: readonly string[], { dtype, shape }: Pick<FileGroup, 'dtype' | 'shape'>, locate: () => { ref: TensorRef; identity: string | null }): void {
    const name = keys.join('/');
    this.#budget.spend(GROUP_STEPS + name.length / 32);
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

/** Reasons are phrases where they arise; people read sentences. */
function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}

function nameOf(keys: readonly string[]): string {
  return keys.length === 0 ? ROOT_NAME : clip(keys.join('/'));
}
