import { lstat } from 'node:fs/promises';
import { CheckpointError } from '../../../shared/contract/errors';
import { fileError } from '../../bytes/fileError';
import { readSmallFile } from '../../bytes/readSmallFile';
import { systemCode } from '../../bytes/systemCode';
import { writeWhole } from '../../bytes/writeWhole';
import type { AttributesEdit } from './attributesText';
import { ATTRIBUTES_FILE_LIMIT } from './parseAttributes';

/**
 * Edits an attributes file of the work tree; one that is not there counts as empty. What is not UTF-8 in it stays as it is.
 * @param edit such as `(text) => trackPattern(text, '*.pt')`
 * @param staging folder for the new file until it is whole; default beside it
 * @returns whether the file was changed
 * @throws permission, no-space, invalid-request (a link, which git does not follow, or no file), what `edit` throws
 */
export async function editAttributesFile(path: string, edit: (text: string) => AttributesEdit, staging?: string): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw fileError(error, path);
  });
  if (found !== null && !found.isFile()) {
    throw new CheckpointError('invalid-request', 'This .gitattributes is a link or a folder, which git does not read.', { place: { file: path } });
  }
  const before =
    found === null ? Buffer.alloc(0) : await readSmallFile(path, ATTRIBUTES_FILE_LIMIT).catch((error: unknown) => Promise.reject(fileError(error, path)));
  const { text, changed } = edit(decodeExactly(before));
  if (!changed) return false;
  const mode = found === null ? 0o666 : found.mode & 0o777;
  await writeWhole(path, (write) => write(encodeExactly(text)), { mode, ...(staging === undefined ? {} : { folder: staging }) });
  return true;
}

/** Lone surrogates, which no valid text holds, stand for bytes that are not UTF-8 (as Python's “surrogateescape”). */
const ESCAPE = 0xdc00;

/** UTF-8 as text; other bytes come back by `encodeExactly`. */
export function decodeExactly(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  // One byte at a time where a character does not decode; such files are rare and small.
  let exact = '';
  for (let i = 0; i < bytes.length; ) {
    const length = lengthAt(bytes, i);
    exact += length === 0 ? String.fromCharCode(ESCAPE + (bytes[i] ?? 0)) : bytes.toString('utf8', i, i + length);
    i += Math.max(1, length);
  }
  return exact;
}

/** Bytes of the character that begins there; 0 when none does. */
function lengthAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  const character = bytes.subarray(at, at + length);
  return length > 0 && Buffer.from(character.toString('utf8')).equals(character) ? length : 0;
}

export function encodeExactly(text: string): Buffer {
  const pieces = text.match(/[\udc80-\udcff]|[^\udc80-\udcff]+/gu) ?? [];
  return Buffer.concat(pieces.map((piece) => (/^[\udc80-\udcff]$/u.test(piece) ? Buffer.from([piece.charCodeAt(0) - ESCAPE]) : Buffer.from(piece))));
}
