import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource } from '../../bytes/byteSource';
import { ReadAhead } from '../../bytes/readAhead';

/** Names are chunk indices or a few letters; 64 axes of 20 digits are the longest that can be meant. */
const MAX_NAME = 2048;
/** Bytes of a map or string header with the longest name and the header of the content behind it. */
const ENTRY_BYTES = 5 + MAX_NAME + 5;
const MAX_MEMBERS = 4096;
/** A `.zarray` is a few hundred bytes. */
const MAX_INLINE = 1024 * 1024;

export interface ObjectFile {
  readonly name: string;
  /** Where the content lies in the source. */
  readonly offset: number;
  readonly length: number;
  /** The content itself for the names that were asked for, else `null`. */
  readonly content: Uint8Array | null;
}

export interface ObjectVisitor {
  /** Contents of files with this name are read and handed over. */
  readonly inline: string;
  /** A member begins; `files` is how many its map declares. */
  member(name: string, files: number): void;
  file(file: ObjectFile): void;
}

/**
 * Walks the MessagePack map `{member: {file: bytes}}` of a git-theta object without reading the contents: names must be `str`, contents
 * `bin`, as Python's `packb(use_bin_type=True)` writes them. Members that occur twice and trailing bytes are refused; files that occur
 * twice are the visitor's to refuse, who knows what they mean.
 * @throws CheckpointError malformed, cancelled
 */
export async function walkObject(source: ByteSource, visitor: ObjectVisitor, signal?: AbortSignal): Promise<void> {
  const ahead = new ReadAhead(source);
  const members = new Set<string>();
  let at = 0;
  let window = await entryWindow(ahead, at);
  let head = mapHeader(window, at);
  const count = head.entries;
  if (count > MAX_MEMBERS) throw damaged(at, `${count} members, more than ${MAX_MEMBERS}`);
  at = head.end;
  for (let member = 0; member < count; member++) {
    window = await entryWindow(ahead, at);
    const name = stringAt(window, at);
    if (members.has(name.text)) throw damaged(at, `the member ${JSON.stringify(name.text)} occurs twice`);
    members.add(name.text);
    const mapAt = name.end;
    head = mapHeader(window, mapAt);
    // The shortest file is an empty name and an empty content: 3 bytes.
    if (head.entries * 3 > source.length - head.end) throw damaged(mapAt, `${head.entries} files do not fit into the ${source.length - head.end} bytes left`);
    visitor.member(name.text, head.entries);
    at = head.end;
    for (let file = 0; file < head.entries; file++) {
      if (at - window.start + ENTRY_BYTES > window.bytes.byteLength && window.start + window.bytes.byteLength < source.length) {
        throwIfCancelled(signal);
        window = await entryWindow(ahead, at);
      }
      const key = stringAt(window, at);
      const range = binaryAt(window, key.end);
      if (range.length > source.length - range.offset) {
        throw damaged(key.end, `the file ${JSON.stringify(key.text)} has ${range.length} bytes, but ${source.length - range.offset} are left`);
      }
      let content: Uint8Array | null = null;
      if (key.text === visitor.inline) {
        if (range.length > MAX_INLINE) throw damaged(key.end, `${key.text} has ${range.length} bytes`);
        content = await source.read(range.offset, range.length);
      }
      visitor.file({ name: key.text, offset: range.offset, length: range.length, content });
      at = range.offset + range.length;
    }
  }
  if (at !== source.length) throw damaged(at, `${source.length - at} bytes follow its end`);
}

interface Window {
  readonly bytes: Uint8Array;
  readonly start: number;
}

/** As many bytes from `at` as the longest entry may need, or as there are. */
async function entryWindow(ahead: ReadAhead, at: number): Promise<Window> {
  const need = Math.min(ENTRY_BYTES, ahead.length - at);
  return { bytes: ahead.peek(at, need) ?? (await ahead.load(at, need)), start: at };
}

function mapHeader(window: Window, at: number): { readonly entries: number; readonly end: number } {
  const type = byteAt(window, at);
  if (type >= 0x80 && type <= 0x8f) return { entries: type & 15, end: at + 1 };
  if (type === 0xde) return { entries: numberAt(window, at + 1, 2), end: at + 3 };
  if (type === 0xdf) return { entries: numberAt(window, at + 1, 4), end: at + 5 };
  throw damaged(at, 'a map was expected');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function stringAt(window: Window, at: number): { readonly text: string; readonly end: number } {
  const type = byteAt(window, at);
  let start = at + 1;
  let length: number;
  if (type >= 0xa0 && type <= 0xbf) length = type & 31;
  else if (type >= 0xd9 && type <= 0xdb) {
    const width = 1 << (type - 0xd9);
    length = numberAt(window, start, width);
    start += width;
  } else throw damaged(at, 'a name was expected');
  if (length > MAX_NAME) throw damaged(at, `a name has ${length} bytes`);
  const from = start - window.start;
  if (from + length > window.bytes.byteLength) throw damaged(at, 'it ends inside a name');
  return { text: decodeName(window.bytes, { from, to: from + length, at }), end: start + length };
}

function decodeName(bytes: Uint8Array, range: { readonly from: number; readonly to: number; readonly at: number }): string {
  const { from, to } = range;
  let text = '';
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0;
    if (byte > 0x7f) {
      try {
        return utf8.decode(bytes.subarray(from, to));
      } catch {
        throw damaged(range.at, 'a name is not valid UTF-8');
      }
    }
    text += String.fromCharCode(byte);
  }
  return text;
}

function binaryAt(window: Window, at: number): { readonly offset: number; readonly length: number } {
  const type = byteAt(window, at);
  if (type < 0xc4 || type > 0xc6) throw damaged(at, 'bytes were expected');
  const width = 1 << (type - 0xc4);
  return { offset: at + 1 + width, length: numberAt(window, at + 1, width) };
}

function byteAt(window: Window, at: number): number {
  const byte = window.bytes[at - window.start];
  if (byte === undefined) throw damaged(at, 'it ends too early');
  return byte;
}

/** Big-endian, as all of MessagePack. */
function numberAt(window: Window, at: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i++) value = value * 256 + byteAt(window, at + i);
  return value;
}

function damaged(offset: number, what: string): CheckpointError {
  return new CheckpointError('malformed', `The object is damaged at byte ${offset}: ${what}.`, { place: { offset } });
}
