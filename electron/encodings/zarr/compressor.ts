import { CheckpointError } from '../../../shared/contract/errors';

export type Compressor = 'none' | 'blosc' | 'zlib' | 'gzip' | 'bz2' | 'zstd';

/**
 * Most bytes of output for one byte of a chunk (deflate: 258 bytes for 2 bits; bzip2: 900 kB of one value in about 40 bytes, run-length
 * coded once before that; zstd: a block of 128 KiB in 4 bytes). A chunk that would need more is refused before anything is allocated.
 */
const MAX_EXPANSION: Readonly<Record<Compressor, number>> = { none: 1, blosc: 65536, zlib: 1040, gzip: 1040, bz2: 2 ** 21, zstd: 65536 };

/** `compressor` of a `.zarray`; how strongly it was compressed does not matter to a reader. @throws CheckpointError unsupported-format */
export function parseCompressor(value: unknown): Compressor {
  if (value === null) return 'none';
  const id = typeof value === 'object' && 'id' in value ? value.id : undefined;
  if (id === 'blosc' || id === 'zlib' || id === 'gzip' || id === 'bz2' || id === 'zstd') return id;
  throw new CheckpointError(
    'unsupported-format',
    `The array is compressed with ${JSON.stringify(id) ?? 'something unnamed'}, which git-theta does not read either.`,
  );
}

/** Whether a chunk with `stored` bytes in the object can have `bytes` bytes. */
export function isPlausible(compressor: Compressor, stored: number, bytes: number): boolean {
  return compressor === 'none' ? stored === bytes : stored * MAX_EXPANSION[compressor] >= bytes;
}
