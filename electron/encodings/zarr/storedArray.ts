import type { ByteSource } from '../../bytes/byteSource';
import type { ChunkGrid } from './chunkGrid';
import type { ChunkTable } from './chunkTable';
import type { ZarrHeader } from './zarrHeader';

/** An array whose header is known and whose chunks have been found, but not read. */
export interface StoredArray {
  readonly source: ByteSource;
  readonly header: ZarrHeader;
  readonly grid: ChunkGrid;
  readonly table: ChunkTable;
  /** Member of the object, for messages. */
  readonly name: string;
}
