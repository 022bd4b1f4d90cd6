import { assertNever } from '../../../shared/base/assertNever';
import { inflateExactly } from '../compression/inflate';
import { decodeZstdSync } from '../compression/zstd';
import type { BloscCodec } from './bloscHeader';
import { decodeBlosclzBlock } from './blosclzBlock';
import { decodeLz4Block, type Lz4Range } from './lz4Block';

/** Decodes one compressed stream of a block. @returns whether it was sound and gave exactly [start, end) of `target` */
export function decodeStream(codec: BloscCodec, bytes: { readonly source: Uint8Array; readonly target: Uint8Array }, range: Lz4Range): boolean {
  const { source, target } = bytes;
  switch (codec) {
    case 'lz4':
      return decodeLz4Block(source, target, range);
    case 'blosclz':
      return decodeBlosclzBlock(source, target, range);
    case 'zlib':
      return inflateExactly('zlib', source.subarray(range.from, range.to), target.subarray(range.start, range.end));
    case 'zstd':
      return decodeZstdSync(source.subarray(range.from, range.to), target.subarray(range.start, range.end));
    default:
      return assertNever(codec);
  }
}
