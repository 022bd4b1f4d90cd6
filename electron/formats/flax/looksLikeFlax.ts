import { CheckpointError } from '../../../shared/contract/errors';
import { HEAD_BYTES, type MsgpackHead, parseHead } from '../../encodings/msgpack/msgpackHead';
import { NDARRAY, NUMPY_SCALAR } from './extensionTypes';

/** First byte of a list of three: shape, type, data. */
const LIST_OF_THREE = 0x93;

/**
 * A MessagePack dictionary with texts as keys, in whose first part stands an array of Flax. Other MessagePack files have no extension
 * of that kind; a pickle's first two bytes would be an empty dictionary with something behind it.
 */
export function looksLikeFlax(head: Uint8Array, size: number): boolean {
  if (size === 1) return head[0] === 0x80;
  try {
    return findsArray(head);
  } catch (error) {
    if (error instanceof CheckpointError) return false;
    throw error;
  }
}

function findsArray(bytes: Uint8Array): boolean {
  const headAt = (at: number): MsgpackHead => parseHead(bytes.subarray(at, at + HEAD_BYTES), at, {});
  const root = headAt(0);
  if (root.kind !== 'map') return false;
  const open = [{ kind: root.kind as 'map' | 'array', left: root.count }];
  let at = root.next;
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.left === 0) {
      open.pop();
      continue;
    }
    frame.left--;
    if (frame.kind === 'map') {
      const key = headAt(at);
      if (key.kind !== 'str') return false;
      at = key.next + key.length;
    }
    const value = headAt(at);
    if (value.kind === 'ext') return (value.type === NDARRAY || value.type === NUMPY_SCALAR) && bytes[value.next] === LIST_OF_THREE;
    at = 'length' in value ? value.next + value.length : value.next;
    if (value.kind === 'map' || value.kind === 'array') open.push({ kind: value.kind, left: value.count });
  }
  return false;
}
