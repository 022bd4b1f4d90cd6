import { CheckpointError } from '../../../shared/contract/errors';
import type { DType } from '../../../shared/model/dtype';
import type { Shape } from '../../../shared/model/shape';
import { formatZarrDtype } from './zarrDtype';

export interface HeaderToWrite {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly chunks: Shape;
  /** Codec inside Blosc frames; `null`: chunks are the plain bytes. */
  readonly codec: 'lz4' | 'zstd' | null;
}

/**
 * `.zarray` of an array in C order without filters, compact and with sorted keys as tensorstore writes it. A fill value of null: every
 * chunk is there. The codec is what a writer would use; a frame says itself how it is coded.
 * @throws CheckpointError unsupported-format for a dtype that zarr has no name for
 */
export function formatZarrHeader({ dtype, shape, chunks, codec }: HeaderToWrite): Uint8Array {
  const name = formatZarrDtype(dtype);
  if (name === null) throw new CheckpointError('unsupported-format', `Values of the type ${dtype} cannot be stored: the format has no name for it.`);
  return Buffer.from(
    JSON.stringify({
      chunks,
      compressor: codec === null ? null : { blocksize: 0, clevel: 5, cname: codec, id: 'blosc', shuffle: -1 },
      dimension_separator: '.',
      dtype: name,
      fill_value: null,
      filters: null,
      order: 'C',
      shape,
      zarr_format: 2,
    }),
  );
}
