import { assertNever } from '../../../shared/base/assertNever';
import { CheckpointError } from '../../../shared/contract/errors';
import { parseBloscHeader } from '../blosc/bloscHeader';
import { decodeBlosc } from '../blosc/decodeBlosc';
import { expandZstd, mustExpandZstd } from '../blosc/expandZstd';
import { decodeBzip2 } from '../compression/bzip2';
import { inflateExactly } from '../compression/inflate';
import { decodeZstd, decodeZstdSync, ZSTD_IS_SYNC } from '../compression/zstd';
import type { Compressor } from './compressor';

/**
 * Decodes one chunk into `target`, which it must fill exactly: an edge chunk that is not padded is refused, as git-theta's reader does.
 * @returns a promise only for zstd where the runtime has none, so that two million small chunks need no two million promises
 * @throws CheckpointError malformed
 */
export function decodeChunk(compressor: Compressor, bytes: Uint8Array, target: Uint8Array): undefined | Promise<void> {
  switch (compressor) {
    case 'none':
      if (bytes.byteLength !== target.byteLength) throw damaged(`it has ${bytes.byteLength} bytes instead of ${target.byteLength}`);
      target.set(bytes);
      return undefined;
    case 'blosc':
      if (mustExpandZstd(bytes)) {
        checkBloscSize(bytes, target.byteLength);
        return expandZstd(bytes).then((frame) => decodeBlosc(frame, target));
      }
      decodeBlosc(bytes, target);
      return undefined;
    case 'zlib':
    case 'gzip':
      checkSound(inflateExactly(compressor, bytes, target), compressor);
      return undefined;
    case 'bz2':
      checkSound(decodeBzip2(bytes, target), compressor);
      return undefined;
    case 'zstd':
      if (!ZSTD_IS_SYNC) return decodeZstd(bytes, target).then((sound) => checkSound(sound, compressor));
      checkSound(decodeZstdSync(bytes, target), compressor);
      return undefined;
    default:
      return assertNever(compressor);
  }
}

/** @throws CheckpointError malformed when the frame says that it has another size */
export function checkBloscSize(frame: Uint8Array, bytes: number): void {
  const header = parseBloscHeader(frame, frame.byteLength);
  if (header.bytes !== bytes) throw damaged(`its frame holds ${header.bytes} bytes instead of ${bytes}`);
}

function checkSound(sound: boolean, compressor: Compressor): void {
  if (!sound) throw damaged(`its ${compressor} stream cannot be decoded to the size of a chunk`);
}

function damaged(what: string): CheckpointError {
  return new CheckpointError('malformed', `A chunk is damaged: ${what}.`);
}
