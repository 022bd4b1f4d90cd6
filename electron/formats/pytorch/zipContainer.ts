import { CheckpointError } from '../../../shared/contract/errors';
import { dtypeBytes } from '../../../shared/model/dtype';
import type { ByteSource } from '../../bytes/byteSource';
import { type PickleResult, readPickle } from '../../encodings/pickle/readPickle';
import { readZip, STORED, type ZipEntry } from '../../encodings/zip/readZip';
import { readZipEntry } from '../../encodings/zip/readZipEntry';
import type { ReadOptions } from '../format';
import { MAX_PICKLE_BYTES, type OpenedContainer } from './container';
import { clipKey, type StorageTable, tooShort } from './storage';

/**
 * The container since PyTorch 1.6: a zip with one root folder of any name, `data.pkl`, one stored entry `data/KEY` for each
 * storage and, since 2.1, `byteorder`. Records are found by name, in any order (torch/serialization.py `_load`,
 * caffe2/serialize/inline_container.cc). `torch.serialization.set_crc32_options(False)` leaves the checksums out.
 */
export async function openZipContainer(source: ByteSource, options: ReadOptions): Promise<OpenedContainer> {
  const { file } = options;
  const entries = await readZip(source, options);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const root = findRoot(entries, file);
  const record = byName.get(`${root}data.pkl`);
  if (record === undefined) throw new CheckpointError('internal', 'The root of the archive was found without its data.', { place: { file } });
  const bytes = await readZipEntry(source, record, { maxBytes: MAX_PICKLE_BYTES, file, zeroMeansNoChecksum: true });
  // Only in a stored entry does a position in the pickle say where that is in the file.
  const base = record.method === STORED ? record.dataOffset : null;
  let pickle: PickleResult;
  try {
    pickle = readPickle(bytes, base === null ? {} : { base });
  } catch (error) {
    const failure = CheckpointError.from(error);
    // An offset in a compressed pickle is none in the file.
    throw base === null ? new CheckpointError(failure.code, failure.message, { place: { file } }) : failure.at({ file });
  }
  const order = byName.get(`${root}byteorder`);
  const bigEndian = order !== undefined && (await readByteOrder(source, order, file)) === 'big';
  return {
    value: pickle.value,
    pickleBytes: bytes,
    pickleOffset: base,
    storages: storageTable(byName, root, bigEndian),
    note: entries.some((entry) => entry.name.startsWith(`${root}code/`)) ? 'TorchScript archive' : null,
  };
}

/** The folder that `data.pkl` lies in, with its slash. */
function findRoot(entries: readonly ZipEntry[], file: string): string {
  const roots = entries.map(({ name }) => /^([^/]*\/)data\.pkl$/.exec(name)?.[1]).filter((root) => root !== undefined);
  const [root] = roots;
  if (root !== undefined && roots.length === 1) return root;
  if (root !== undefined)
    throw new CheckpointError('malformed', 'This archive has several files data.pkl, so it is not clear which one is meant.', { place: { file } });
  if (entries.some(({ name }) => name.endsWith('/model.json'))) {
    throw new CheckpointError('unsupported-format', 'This is a TorchScript archive of before PyTorch 1.3, which is not read.', {
      place: { file },
      hint: 'Load it with a PyTorch that still reads it and save its state_dict with torch.save.',
    });
  }
  throw new CheckpointError('malformed', 'This zip has no data.pkl, so it is no PyTorch checkpoint, or it is damaged.', { place: { file } });
}

async function readByteOrder(source: ByteSource, entry: ZipEntry, file: string): Promise<'little' | 'big'> {
  const text = Buffer.from(await readZipEntry(source, entry, { maxBytes: 64, file, zeroMeansNoChecksum: true }))
    .toString('latin1')
    .trim();
  if (text === 'little' || text === 'big') return text;
  throw new CheckpointError('malformed', 'The byte order of this checkpoint is neither little nor big.', { place: { file, offset: entry.dataOffset } });
}

function storageTable(entries: ReadonlyMap<string, ZipEntry>, root: string, bigEndian: boolean): StorageTable {
  return {
    bigEndian,
    locate({ key, dtype, elements, view }) {
      const entry = entries.get(`${root}data/${key}`);
      if (entry === undefined) throw new CheckpointError('malformed', `The archive has no storage ${clipKey(key)}.`);
      const place = { offset: entry.dataOffset };
      if (entry.encrypted || entry.method !== STORED) {
        const how = entry.encrypted ? 'encrypted' : 'compressed';
        throw new CheckpointError(
          'unsupported-format',
          `Storage ${clipKey(key)} is ${how} in the archive; tensors are read only from storages that are neither, as torch.save writes them.`,
          {
            place,
            hint: 'Unpack the archive and pack it again without compression.',
          },
        );
      }
      const needed = elements * dtypeBytes(dtype);
      if (needed > entry.bytes) throw tooShort(key, { needed, found: entry.bytes, offset: entry.dataOffset });
      if (view !== null) throw new CheckpointError('malformed', `Storage ${clipKey(key)} is a view, which this kind of archive does not have.`, { place });
      return { identity: key, offset: entry.dataOffset, bytes: needed };
    },
  };
}
