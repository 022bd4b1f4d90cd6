import yauzl from 'yauzl';
import { formatCount } from '../../../shared/base/formatBytes';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { ZipReader } from './zipReader';

export const STORED = 0;
export const DEFLATED = 8;

/** The largest published checkpoints have some ten thousand tensors; a million entries would take seconds and most of our memory target. */
const MAX_ENTRIES = 200_000;
/** Local headers lie between tensors: a small block keeps neighbours in memory without reading the tensors. */
const HEADER_BLOCK_BYTES = 4096;
const HEADERS_AT_ONCE = 32;

export interface ZipEntry {
  /** As in the archive, hostile text: never a path to write to. */
  readonly name: string;
  /** Compression method: `STORED`, `DEFLATED` or one that we do not read. */
  readonly method: number;
  readonly encrypted: boolean;
  /** Bytes in the file. */
  readonly storedBytes: number;
  /** Bytes after decompression, as declared. */
  readonly bytes: number;
  /** CRC-32 of the decompressed bytes, as declared. */
  readonly checksum: number;
  /** Offset of the first stored byte in the source. */
  readonly dataOffset: number;
  /** When the packed file was changed last, as declared. */
  readonly modified: Date;
}

export interface ReadZipOptions {
  /** Name for error messages. */
  readonly file: string;
  readonly signal?: AbortSignal;
}

/**
 * The entries of a zip, in the directory's order, through ranges: no entry's data is read. Every entry lies inside the
 * source, none overlaps another (how small files are made to expand without limit), and no name occurs twice.
 * @throws CheckpointError `truncated` without a directory, `malformed`, `too-large`
 */
export async function readZip(source: ByteSource, options: ReadZipOptions): Promise<readonly ZipEntry[]> {
  const { file, signal } = options;
  const reader = new ZipReader(source);
  let found: yauzl.Entry[];
  let entries: ZipEntry[];
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, source.length, { autoClose: false, decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > MAX_ENTRIES) {
      throw new CheckpointError('too-large', `This zip says that it has ${formatCount(zip.entryCount)} entries; up to ${formatCount(MAX_ENTRIES)} are read.`, {
        place: { file },
      });
    }
    found = [];
    for await (const entry of zip.eachEntry()) {
      throwIfCancelled(signal);
      found.push(entry);
    }
    reader.blockBytes = HEADER_BLOCK_BYTES;
    entries = await locate(zip, found, options);
  } catch (error) {
    throw zipError(error, source, file);
  }
  checkPlaces(found, entries, { file, total: source.length });
  return entries;
}

async function locate(zip: yauzl.ZipFile, found: readonly yauzl.Entry[], { signal }: ReadZipOptions): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for (let start = 0; start < found.length; start += HEADERS_AT_ONCE) {
    throwIfCancelled(signal);
    const batch = found.slice(start, start + HEADERS_AT_ONCE).map(async (entry): Promise<ZipEntry> => {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      return {
        // Strict: a backslash is a part of the name.
        name: yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true),
        method: entry.compressionMethod,
        encrypted: entry.isEncrypted(),
        storedBytes: entry.compressedSize,
        bytes: entry.uncompressedSize,
        checksum: entry.crc32,
        dataOffset: fileDataStart,
        modified: entry.getLastModDate(),
      };
    });
    // All of a batch is awaited even when one fails, so that no rejection is left without a listener.
    for (const result of await Promise.allSettled(batch)) {
      if (result.status === 'rejected') throw result.reason;
      entries.push(result.value);
    }
  }
  return entries;
}

function checkPlaces(found: readonly yauzl.Entry[], entries: readonly ZipEntry[], { file, total }: { file: string; total: number }): void {
  const names = new Set<string>();
  const places = entries.map((entry, index) => ({ entry, header: found[index]?.relativeOffsetOfLocalHeader ?? 0 })).sort((a, b) => a.header - b.header);
  let end = 0;
  for (const { entry, header } of places) {
    const place = { file, offset: entry.dataOffset };
    const name = clip(entry.name);
    if (names.has(entry.name)) throw new CheckpointError('malformed', `The zip has two entries named ${name}.`, { place });
    names.add(entry.name);
    const entryEnd = entry.dataOffset + entry.storedBytes;
    if (!Number.isSafeInteger(entryEnd) || entryEnd > total) {
      throw new CheckpointError('malformed', `The zip's entry ${name} should end at byte ${entryEnd}, but the file ends at byte ${total}.`, { place });
    }
    if (!Number.isSafeInteger(entry.bytes)) throw new CheckpointError('malformed', `The zip's entry ${name} has an impossible size.`, { place });
    if (entry.method === STORED && !entry.encrypted && entry.bytes !== entry.storedBytes) {
      throw new CheckpointError(
        'malformed',
        `The zip's entry ${name} is not compressed but has two different sizes, ${entry.storedBytes} and ${entry.bytes} bytes.`,
        { place },
      );
    }
    if (header < end) throw new CheckpointError('malformed', `The zip's entry ${name} overlaps another entry.`, { place });
    end = entryEnd;
  }
}

/** yauzl's errors are plain ones; whatever it says is about the structure of the zip, unless reading itself failed. */
function zipError(error: unknown, source: ByteSource, file: string): CheckpointError {
  if (isCheckpointError(error)) return error.at({ file });
  const detail = error instanceof Error ? error.message : String(error);
  if (detail.startsWith('End of central directory')) {
    return new CheckpointError('truncated', 'The file starts like a zip, but the directory at the end of a zip is missing.', {
      place: { file, offset: source.length },
      hint: 'The file was probably cut off while it was copied or downloaded. Fetch it again.',
      detail,
    });
  }
  return new CheckpointError('malformed', 'The structure of this zip is damaged.', { place: { file }, detail });
}

function clip(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
