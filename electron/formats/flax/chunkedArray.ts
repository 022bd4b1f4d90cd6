import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import type { MsgpackLeaf } from '../../encodings/msgpack/walkMsgpack';
import type { FileGroup } from '../format';
import type { FlaxArray } from './readArray';

const MARKER = '__msgpack_chunked_array__';

/** The first member of the dictionary that stands for an array of more than 1 GiB (`_chunk` of flax/serialization.py). */
export function isChunkMarker({ keys, head }: MsgpackLeaf): boolean {
  return keys.at(-1) === MARKER && head.kind === 'bool' && head.value;
}

/** Collects `{marker: True, shape: {'0': 5, ...}, chunks: {'0': array, ...}}` into one group. */
export class ChunkedArray {
  readonly #keys: readonly string[];
  readonly #extents = new Map<string, number>();
  #dtype: DType | null = null;
  #chunks = 0;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Whether the leaf lies inside the same dictionary. */
  holds({ keys }: MsgpackLeaf): boolean {
    return keys.length > this.#keys.length && this.#keys.every((key, depth) => key === keys[depth]);
  }

  add({ keys, head }: MsgpackLeaf, array: FlaxArray | null): void {
    const [part, position] = keys.slice(this.#keys.length);
    if (part === 'shape' && position !== undefined && head.kind === 'int') this.#extents.set(position, Number(head.value));
    else if (part === 'chunks' && array?.kind === 'array') {
      this.#dtype ??= array.dtype;
      this.#chunks++;
    }
  }

  /** @throws CheckpointError malformed when shape or chunks are missing. */
  toGroup(file: string): FileGroup {
    const group = this.#keys.join('/');
    const shape = Array.from({ length: this.#extents.size }, (_, axis) => this.#extents.get(String(axis)) ?? -1);
    if (this.#dtype === null || !shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) {
      throw new CheckpointError('malformed', 'An array in chunks does not say its shape and type.', { place: { file, group } });
    }
    const data = new CheckpointError('unsupported-format', `The array is stored in ${this.#chunks} chunks, and such arrays are not read.`, {
      place: { file, group },
    });
    return { keys: this.#keys, dtype: this.#dtype, shape, data: data.toData(), tiedTo: null };
  }
}
