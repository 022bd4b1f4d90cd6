import type { SkippedEntry } from '../../../shared/model/checkpoint';
import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';
import { type MsgpackLeaf, walkMsgpack } from '../../encodings/msgpack/walkMsgpack';
import type { FileCheckpoint, FileGroup, ReadOptions } from '../format';
import { ChunkedArray, isChunkMarker } from './chunkedArray';
import { NATIVE_COMPLEX, NDARRAY, NUMPY_SCALAR } from './extensionTypes';
import { type FlaxArray, readArray } from './readArray';

const KINDS: Readonly<Record<string, string>> = {
  map: 'An empty dictionary.',
  array: 'An empty list.',
  str: 'A text.',
  bin: 'Plain bytes.',
  int: 'A number.',
  float: 'A number.',
  bool: 'A number.',
  nil: 'Nothing (None).',
};

/**
 * Reads the structure alone: dictionaries and lists become keys, arrays and NumPy scalars become groups, everything else is skipped.
 * Arrays that Flax cut into chunks (over 1 GiB) are one group each, whose data is an error for now.
 * @throws CheckpointError malformed, truncated, too-large
 */
export async function readFlax(source: ByteSource, options: ReadOptions): Promise<FileCheckpoint> {
  const groups: FileGroup[] = [];
  const skipped: SkippedEntry[] = [];
  const ahead = new ReadAhead(source);
  let chunked: ChunkedArray | null = null;
  for await (const leaf of walkMsgpack(ahead, { file: options.file, signal: options.signal })) {
    if (chunked !== null && !chunked.holds(leaf)) {
      groups.push(chunked.toGroup(options.file));
      chunked = null;
    }
    const array = await arrayOf(ahead, leaf, options);
    if (chunked !== null) chunked.add(leaf, array);
    else if (isChunkMarker(leaf)) chunked = new ChunkedArray(leaf.keys.slice(0, -1));
    else if (array?.kind === 'array') groups.push({ keys: leaf.keys, dtype: array.dtype, shape: array.shape, data: array.data, tiedTo: null });
    else skipped.push({ name: leaf.keys.join('/'), reason: reasonFor(leaf, array) });
  }
  if (chunked !== null) groups.push(chunked.toGroup(options.file));
  return { format: 'flax', groups, skipped, metadata: [] };
}

async function arrayOf(ahead: ReadAhead, { head, keys }: MsgpackLeaf, options: ReadOptions): Promise<FlaxArray | null> {
  if (head.kind !== 'ext' || (head.type !== NDARRAY && head.type !== NUMPY_SCALAR)) return null;
  return readArray(ahead, head, { ...options, group: keys.join('/') });
}

function reasonFor({ head }: MsgpackLeaf, array: FlaxArray | null): string {
  if (array?.kind === 'other') return `An array [${array.shape.join(', ')}] of the type '${array.typeName}', which is not read.`;
  if (head.kind === 'ext') return head.type === NATIVE_COMPLEX ? 'A number.' : `An extension of type ${head.type}, which is not known.`;
  return KINDS[head.kind] ?? 'No array.';
}
