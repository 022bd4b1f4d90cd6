import { crc32 } from 'node:zlib';
import { CheckpointError } from '../../../shared/contract/errors';
import { centralDirectory, localHeader, type PlannedEntry, U32_MAX } from './zipRecords';

/** Bytes and where they go; the same shape as `Placed` of electron/formats. */
export interface Placed {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface StoredEntry {
  readonly name: string;
  /** Bytes of the entry's data. */
  readonly bytes: number;
  /** The data when it is known already; `null` when it is written later and its checksum given to `finish`. */
  readonly content: Uint8Array | null;
}

export interface StoredZipLayout {
  /** Size of the finished file. */
  readonly bytes: number;
  /** Headers and data of the entries whose content is known. */
  readonly pieces: readonly Placed[];
  /** Offset of each entry's data. */
  readonly offsets: readonly number[];
  /** The other headers and the central directory, from the CRC-32 of each entry without content, in order. */
  finish(checksums: readonly number[]): Placed[];
}

/**
 * Plans a zip of stored entries before any data is read, so that the entries can be written in parallel.
 * Local headers carry sizes and checksums (no data descriptors), so every zip reader takes the result; zip64 records
 * appear where a size, an offset or the number of entries needs them (APPNOTE.TXT 4.3.14 to 4.5.3). The same entries always give the same bytes.
 * @param options.alignment multiple at which each entry's data starts, by padding in the local header as PyTorch pads (64); 1 for none.
 * @throws CheckpointError `unsupported-format` when a name is too long for a zip, `invalid-request` when two entries have one name.
 */
export function layoutStoredZip(entries: readonly StoredEntry[], options: { readonly alignment: number }): StoredZipLayout {
  const planned: PlannedEntry[] = [];
  const names = new Set<string>();
  let position = 0;
  for (const entry of entries) {
    if (entry.content !== null && entry.content.byteLength !== entry.bytes) {
      throw new CheckpointError('internal', `The zip entry ${entry.name} should have ${entry.bytes} bytes but has ${entry.content.byteLength}.`);
    }
    if (names.has(entry.name)) throw new CheckpointError('invalid-request', `Two entries of the zip would be named ${entry.name}.`);
    names.add(entry.name);
    const plan = planEntry(entry, position, options.alignment);
    planned.push(plan);
    position = plan.dataOffset + entry.bytes;
    if (!Number.isSafeInteger(position)) throw new CheckpointError('too-large', 'The zip would have more than 2^53 bytes.');
  }
  const directoryOffset = position;
  const known = entries.map((entry) => (entry.content === null ? 0 : crc32(entry.content)));
  const unknown = entries.filter((entry) => entry.content === null).length;
  const pieces: Placed[] = [];
  for (const [index, plan] of planned.entries()) {
    const content = entries[index]?.content ?? null;
    if (content === null) continue;
    pieces.push({ offset: plan.headerOffset, bytes: localHeader(plan, known[index] ?? 0) });
    if (content.byteLength > 0) pieces.push({ offset: plan.dataOffset, bytes: content });
  }
  return {
    // Checksums do not change sizes, so the directory's size is that of one with zeros.
    bytes: directoryOffset + centralDirectory(planned, known, directoryOffset).byteLength,
    pieces,
    offsets: planned.map((plan) => plan.dataOffset),
    finish(checksums) {
      if (checksums.length !== unknown) throw new CheckpointError('internal', `The zip needs ${unknown} checksums but ${checksums.length} were given.`);
      const sums = [...known];
      const placed: Placed[] = [];
      let next = 0;
      for (const [index, plan] of planned.entries()) {
        if (entries[index]?.content !== null) continue;
        const sum = checksums[next++] ?? 0;
        sums[index] = sum;
        placed.push({ offset: plan.headerOffset, bytes: localHeader(plan, sum) });
      }
      placed.push({ offset: directoryOffset, bytes: centralDirectory(planned, sums, directoryOffset) });
      return placed;
    },
  };
}

function planEntry(entry: StoredEntry, headerOffset: number, alignment: number): PlannedEntry {
  const name = new TextEncoder().encode(entry.name);
  if (name.byteLength > 0xffff)
    throw new CheckpointError('unsupported-format', `The name ${entry.name.slice(0, 60)}… is too long for a zip (65535 bytes at most).`);
  const sizes64 = entry.bytes >= U32_MAX;
  const unpadded = headerOffset + 30 + name.byteLength + (sizes64 ? 20 : 0);
  let padding = 0;
  if (unpadded % alignment !== 0) {
    // An extra field has 4 bytes of its own before the padding.
    const remainder = (unpadded + 4) % alignment;
    padding = 4 + (remainder === 0 ? 0 : alignment - remainder);
  }
  return { name, bytes: entry.bytes, headerOffset, dataOffset: unpadded + padding, padding, sizes64 };
}
