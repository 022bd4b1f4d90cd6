import { formatBytes } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { parseLfsPointer } from '../git/lfs/lfsPointer';

/** Files that people take for checkpoints, by their first bytes (or bytes at `at`). */
const KNOWN: readonly { readonly magic: string; readonly at?: number; readonly what: string; readonly hint?: string }[] = [
  { magic: '\x89HDF\r\n\x1a\n', what: 'an HDF5 file' },
  { magic: 'GGUF', what: 'a GGUF file' },
  { magic: 'TFL3', at: 4, what: 'a TensorFlow Lite model' },
  { magic: '\x93NUMPY', what: 'a single NumPy array (.npy)', hint: 'Save it with numpy.savez to get a checkpoint of named arrays.' },
  { magic: 'PK\x03\x04', what: 'a zip archive, but neither a PyTorch nor a NumPy file' },
  { magic: '\x1f\x8b', what: 'a gzip-compressed file', hint: 'Decompress it first.' },
  { magic: '\x28\xb5\x2f\xfd', what: 'a Zstandard-compressed file', hint: 'Decompress it first.' },
  { magic: 'BZh', what: 'a bzip2-compressed file', hint: 'Decompress it first.' },
  { magic: '\xfd7zXZ\0', what: 'an xz-compressed file', hint: 'Decompress it first.' },
  { magic: 'ustar', at: 257, what: 'a tar archive', hint: 'Unpack it first.' },
  { magic: '%PDF', what: 'a PDF document' },
  { magic: '\x89PNG', what: 'a picture' },
];

/** Why a file that no format takes is none, as far as its first bytes tell. */
export function notACheckpoint(head: Uint8Array, { size, file }: { readonly size: number; readonly file: string }): CheckpointError {
  const place = { file, offset: 0 };
  if (size === 0)
    return new CheckpointError('truncated', 'The file is empty.', { place, hint: 'It was probably not copied or downloaded to its end. Fetch it again.' });
  const pointer = size === head.byteLength ? parseLfsPointer(head) : null;
  if (pointer !== null) {
    return new CheckpointError('missing-object', 'This is a Git LFS pointer; its object has not been downloaded.', {
      place: { ...place, oid: pointer.oid },
      hint: `Run "git lfs pull" in the repository to fetch its ${formatBytes(pointer.size)}.`,
    });
  }
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const start = text.trimStart();
  if (/^<{7} /.test(start)) {
    return new CheckpointError('conflict', 'The file holds conflict markers of a text merge.', {
      place,
      hint: 'Take one side of the file, or merge the versions again.',
    });
  }
  if (start.startsWith('{') && text.includes('"lfs_metadata"')) {
    return new CheckpointError('unsupported-format', 'This is the metadata that git-theta keeps of a checkpoint, not the checkpoint.', {
      place,
      hint: 'Open the repository that it belongs to: the metadata is read there, with the objects that it names.',
    });
  }
  const known = KNOWN.find(({ magic, at = 0 }) => text.startsWith(magic, at));
  if (known !== undefined) return unsupported(`This is ${known.what}, which is not read.`, { place, hint: known.hint });
  if (/^<(?:!doctype|html|\?xml)/i.test(start)) {
    return unsupported('This is a web page, not a checkpoint.', { place, hint: 'A download probably gave an error page. Fetch the file again.' });
  }
  return unsupported(`This is no checkpoint of a format that is known. It begins with ${startOf(head, text)}.`, {
    place,
    hint: 'Formats that are read: safetensors, PyTorch, NumPy (.npz), ONNX and Flax.',
  });
}

function unsupported(
  message: string,
  { place, hint }: { readonly place: { readonly file: string; readonly offset: number }; readonly hint: string | undefined },
): CheckpointError {
  return new CheckpointError('unsupported-format', message, { place, ...(hint === undefined ? {} : { hint }) });
}

/** The first bytes as text where they are, else as hexadecimal numbers. */
function startOf(head: Uint8Array, text: string): string {
  const shown = text.slice(0, 40);
  if (/^[\x20-\x7e\r\n\t]+$/.test(shown)) return `the text ${JSON.stringify(shown)}`;
  const bytes = [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `the bytes ${bytes.join(' ')}`;
}
