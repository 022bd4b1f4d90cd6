import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ReadAhead } from '../../bytes/readAhead';
import { HEAD_BYTES, type MsgpackHead, parseHead } from './msgpackHead';

/** A value that holds no others, with the keys that lead to it; list positions as decimal numbers. */
export interface MsgpackLeaf {
  readonly keys: readonly string[];
  /** `map` and `array` are empty ones. */
  readonly head: MsgpackHead;
}

/** Deeper than any state dict nests; what a reader in C allows is 1024. */
const MAX_DEPTH = 256;
/** The largest published checkpoints have some ten thousand arrays. */
const MAX_LEAVES = 1_000_000;
/** Every leaf repeats the keys above it, so a small file could name gigabytes. */
const MAX_NAME_CHARACTERS = 64 * 1024 * 1024;

interface Frame {
  readonly kind: 'map' | 'array';
  readonly count: number;
  done: number;
  /** Keys seen in a map. */
  readonly seen: Set<string>;
}

/**
 * Every leaf of one MessagePack value, in order, through ranges: contents of texts, bytes and extensions are passed over. Iterative, so
 * nesting cannot overflow the stack.
 * @throws CheckpointError malformed, truncated, too-large, cancelled
 */
export async function* walkMsgpack(
  ahead: ReadAhead,
  options: { readonly file: string; readonly signal: AbortSignal | undefined },
): AsyncGenerator<MsgpackLeaf> {
  const { file, signal } = options;
  const stack: Frame[] = [];
  const keys: string[] = [];
  let at = 0;
  let leaves = 0;
  let characters = 0;
  do {
    throwIfCancelled(signal);
    const frame = stack.at(-1);
    if (frame !== undefined) {
      const key = await nextKey(ahead, { frame, at, file });
      at = key.next;
      keys.push(key.text);
    }
    const head = await readHead(ahead, at, { file });
    if ((head.kind === 'map' || head.kind === 'array') && head.count > 0) {
      checkCount(head, ahead.length, { file, offset: at });
      if (stack.length >= MAX_DEPTH) throw new CheckpointError('too-large', `The file nests more than ${MAX_DEPTH} deep.`, { place: { file, offset: at } });
      at = head.next;
      stack.push({ kind: head.kind, count: head.count, done: 0, seen: new Set() });
      continue;
    }
    at = endOf(head, ahead.length, { file, offset: at });
    leaves++;
    for (const key of keys) characters += key.length + 1;
    if (leaves > MAX_LEAVES || characters > MAX_NAME_CHARACTERS)
      throw new CheckpointError('too-large', 'The file has more values than a checkpoint has, or longer names.', { place: { file, offset: at } });
    yield { keys: [...keys], head };
    closeFrames(stack, keys);
  } while (stack.length > 0);
  if (at !== ahead.length)
    throw new CheckpointError('malformed', `After the checkpoint ${ahead.length - at} more bytes follow.`, { place: { file, offset: at } });
}

/** Ends the value just read, and every container that it completes. */
function closeFrames(stack: Frame[], keys: string[]): void {
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    keys.pop();
    frame.done++;
    if (frame.done < frame.count) return;
    stack.pop();
  }
}

async function nextKey(
  ahead: ReadAhead,
  { frame, at, file }: { frame: Frame; at: number; file: string },
): Promise<{ readonly text: string; readonly next: number }> {
  if (frame.kind === 'array') return { text: String(frame.done), next: at };
  const place: ErrorPlace = { file, offset: at };
  const head = await readHead(ahead, at, place);
  let text: string;
  let next = head.next;
  if (head.kind === 'int') text = String(head.value);
  else if (head.kind === 'str') {
    next = endOf(head, ahead.length, place);
    text = await readText(ahead, head, place);
  } else throw new CheckpointError('malformed', 'A key is neither a text nor a whole number.', { place });
  if (frame.seen.has(text)) throw new CheckpointError('malformed', `The key ${JSON.stringify(text)} stands twice in one dictionary.`, { place });
  frame.seen.add(text);
  return { text, next };
}

export async function readHead(ahead: ReadAhead, at: number, place: ErrorPlace): Promise<MsgpackHead> {
  const needed = Math.min(HEAD_BYTES, ahead.length - at);
  return parseHead(ahead.peek(at, needed) ?? (await ahead.load(at, needed)), at, { ...place, offset: at });
}

/** The content of a text whose end has been checked. */
export async function readText(ahead: ReadAhead, head: { readonly length: number; readonly next: number }, place: ErrorPlace): Promise<string> {
  const window = ahead.peek(head.next, head.length) ?? (await ahead.load(head.next, head.length));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(window.subarray(0, head.length));
  } catch (error) {
    throw new CheckpointError('malformed', 'A text is not UTF-8.', { place, cause: error });
  }
}

/** Offset behind a value without members. @throws CheckpointError truncated */
export function endOf(head: MsgpackHead, limit: number, place: ErrorPlace): number {
  const end = 'length' in head ? head.next + head.length : head.next;
  if (end > limit) throw new CheckpointError('truncated', `A value should end at byte ${end}, but there are only ${limit}.`, { place });
  return end;
}

/** Every member takes a byte at least, two in a map. */
function checkCount(head: { readonly kind: 'map' | 'array'; readonly count: number; readonly next: number }, length: number, place: ErrorPlace): void {
  const least = head.kind === 'map' ? head.count * 2 : head.count;
  if (least > length - head.next) {
    throw new CheckpointError(
      'truncated',
      `A ${head.kind === 'map' ? 'dictionary' : 'list'} should have ${head.count} members, but only ${length - head.next} bytes follow.`,
      { place },
    );
  }
}
