import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { type DType, dtypeBytes, dtypeKind } from '../../../shared/model/dtype';
import { alignedBytes } from '../../bytes/alignedBytes';
import { type BloscOptions, bloscRoom, encodeBlosc } from '../blosc/encodeBlosc';
import { binHead, mapHead, strValue } from '../msgpack/packMsgpack';
import type { ByteSink, MemberToWrite } from './arrayToWrite';
import { chunkKey } from './chunkGrid';
import { fillChunks } from './fillChunks';
import { formatZarrHeader } from './formatZarrHeader';
import { type SlabGrid, slabGrid } from './slabGrid';

/** A single chunk that a Blosc frame makes smaller by less than this is stored as it is: the frame's description takes about as much. */
const WORTH_A_FRAME = 128;

/**
 * Writes a git-theta object: one MessagePack map `{member: {file: bytes}}`, every member a zarr v2 array, its `.zarray` first. Each array
 * is read once, front to back; memory holds one chunk of it, at most 1,048,576 elements, and its frame.
 * @param members in the order in which they are to be in the object
 * @param sink takes the bytes in order; they may change once its promise has resolved
 * @throws CheckpointError unsupported-format for a dtype that zarr has no name for; internal when an array gives fewer or more bytes than
 * its shape says; cancelled; and what the arrays and the sink throw
 */
export async function writeZarrObject(members: readonly MemberToWrite[], sink: ByteSink, signal?: AbortSignal): Promise<void> {
  await sink(mapHead(members.length));
  for (const member of members) await writeMember(member, sink, signal);
}

async function writeMember({ name, array }: MemberToWrite, sink: ByteSink, signal: AbortSignal | undefined): Promise<void> {
  throwIfCancelled(signal);
  const { dtype, shape } = array;
  const grid = slabGrid(shape);
  const frame = alignedBytes(grid.total === 0 ? 0 : bloscRoom(grid.chunkElements * dtypeBytes(dtype)));
  const options = { ...bloscOptions(dtype), frame };
  const head = async (codec: 'lz4' | 'zstd' | null) => {
    const header = formatZarrHeader({ dtype, shape, chunks: grid.chunks, codec });
    await sink(Buffer.concat([strValue(name), mapHead(1 + grid.total), strValue('.zarray'), binHead(header.byteLength), header]));
  };
  let chunk = 0;
  // An array of which nothing came is found out before anything is said about it, because its first chunk decides how it is coded.
  for await (const bytes of fillChunks(array, grid, signal)) {
    const coded = encodeBlosc(bytes, options);
    const plain = isPlain(grid, bytes, coded);
    if (chunk === 0) await head(plain ? null : codecOf(coded));
    await writeChunk(plain ? bytes : coded, chunkKey(chunk, grid.counts, '.'), sink);
    chunk++;
  }
  if (grid.total === 0) await head(null);
}

function isPlain(grid: SlabGrid, bytes: Uint8Array, coded: Uint8Array): boolean {
  return grid.total === 1 && coded.byteLength + WORTH_A_FRAME > bytes.byteLength;
}

/** From the third byte of a frame, its flags. */
function codecOf(frame: Uint8Array): 'lz4' | 'zstd' {
  return (frame[2] ?? 0) >>> 5 === 1 ? 'lz4' : 'zstd';
}

async function writeChunk(bytes: Uint8Array, key: string, sink: ByteSink): Promise<void> {
  await sink(Buffer.concat([strValue(key), binHead(bytes.byteLength)]));
  await sink(bytes);
}

/** Complex numbers are shuffled as twice as many real ones: both parts are alike, and their planes then are longer. */
function bloscOptions(dtype: DType): Pick<BloscOptions, 'size' | 'shuffle'> {
  const bytes = dtypeBytes(dtype) / (dtypeKind(dtype) === 'complex' ? 2 : 1);
  const size = bytes === 1 || bytes === 2 || bytes === 4 ? bytes : 8;
  return { size, shuffle: dtypeKind(dtype) === 'bool' ? 'bit' : 'none' };
}
