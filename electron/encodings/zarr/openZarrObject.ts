import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { type ObjectFile, walkObject } from '../msgpack/walkObject';
import { type ChunkGrid, chunkGrid, parseChunkKey } from './chunkGrid';
import { ChunkTable } from './chunkTable';
import { isPlausible } from './compressor';
import { zarrBlocks } from './zarrBlocks';
import { parseZarrHeader, type ZarrHeader } from './zarrHeader';

/** Files of one member that may come before its `.zarray`, which every known writer puts first. */
const MAX_PENDING = 1_000_000;
/** Bytes of missing chunks that are made up from the fill value: this much, and so many times the object's size. */
const MAX_FILLED = 1024 ** 3;
const MAX_FILLED_RATIO = 1024;
/** Missing chunks: each takes time, however small it is. */
const MAX_MISSING = 2 ** 24;

export interface ReadArrayOptions {
  readonly signal?: AbortSignal | undefined;
  /** Element (flat, C order) to begin with. */
  readonly from?: number;
}

/** One array of an object; its chunks are read and decoded when its blocks are. */
export interface ZarrArray {
  readonly dtype: DType;
  readonly shape: Shape;
  /** Bytes of its chunks in the object. */
  readonly storedBytes: number;
  /**
   * Little-endian elements in C order, in blocks of at most BLOCK_BYTES; a block holds until the next one is asked for.
   * @throws CheckpointError malformed, truncated, cancelled
   */
  blocks(options?: ReadArrayOptions): AsyncGenerator<Uint8Array>;
}

/**
 * The arrays of a git-theta object `{member: {file: bytes}}`, every member a zarr v2 array: names and headers are read and checked,
 * no chunk is. Files that are neither `.zarray` nor a chunk are ignored.
 * @throws CheckpointError malformed, unsupported-format, too-large, cancelled
 */
export async function openZarrObject(source: ByteSource, signal?: AbortSignal): Promise<ReadonlyMap<string, ZarrArray>> {
  const arrays = new Map<string, ZarrArray>();
  let open: OpenMember | null = null;
  const finish = () => {
    if (open !== null) arrays.set(open.name, makeArray(source, open));
  };
  await walkObject(
    source,
    {
      inline: '.zarray',
      member: (name, files) => {
        finish();
        open = { name, files, header: null, grid: null, table: null, pending: [] };
      },
      file: (file) => {
        if (open !== null) addFile(open, file);
      },
    },
    signal,
  );
  finish();
  return arrays;
}

interface OpenMember {
  readonly name: string;
  readonly files: number;
  header: ZarrHeader | null;
  grid: ChunkGrid | null;
  table: ChunkTable | null;
  readonly pending: ObjectFile[];
}

function addFile(member: OpenMember, file: ObjectFile): void {
  if (file.content !== null) {
    if (member.header !== null) throw damaged(member.name, 'its .zarray occurs twice');
    member.header = named(member.name, () => parseZarrHeader(file.content ?? new Uint8Array(0)));
    member.grid = chunkGrid(member.header);
    member.table = new ChunkTable(member.grid.total, member.files);
    for (const earlier of member.pending.splice(0)) addChunk(member, earlier);
  } else if (member.header === null) {
    if (member.pending.length >= MAX_PENDING) throw damaged(member.name, 'its .zarray does not come first');
    member.pending.push(file);
  } else addChunk(member, file);
}

function addChunk({ name, header, grid, table }: OpenMember, file: ObjectFile): void {
  if (header === null || grid === null || table === null || grid.total === 0) return;
  const chunk = parseChunkKey(file.name, grid.counts, header.separator);
  if (chunk < 0) return;
  if (!isPlausible(header.compressor, file.length, grid.chunkBytes)) {
    throw damaged(name, `its chunk ${file.name} has ${file.length} bytes, which cannot become ${grid.chunkBytes}`);
  }
  if (!table.add(chunk, file.offset, file.length)) throw damaged(name, `its chunk ${file.name} occurs twice`);
}

function makeArray(source: ByteSource, { name, header, grid, table }: OpenMember): ZarrArray {
  if (header === null || grid === null || table === null) throw damaged(name, 'it has no .zarray');
  const missing = grid.total - table.stored;
  const filled = Math.min(tensorBytes(header.dtype, header.shape), missing * grid.chunkBytes);
  if (missing > MAX_MISSING || filled > MAX_FILLED + MAX_FILLED_RATIO * source.length) {
    throw new CheckpointError('too-large', `The array ${JSON.stringify(name)} has ${missing} of its ${grid.total} chunks missing.`, {
      hint: 'The object is probably damaged. Fetch it again.',
    });
  }
  const { dtype, shape } = header;
  return { dtype, shape, storedBytes: table.storedBytes, blocks: (options = {}) => zarrBlocks({ source, header, grid, table, name }, options) };
}

function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new CheckpointError(error.code, `${error.message} (member ${JSON.stringify(name)})`, { place: error.place, cause: error });
  }
}

function damaged(name: string, what: string): CheckpointError {
  return new CheckpointError('malformed', `The member ${JSON.stringify(name)} of the object is damaged: ${what}.`);
}
