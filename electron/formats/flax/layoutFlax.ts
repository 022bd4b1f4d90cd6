import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import { type Shape, tensorBytes } from '../../../shared/model/shape';
import { arrayHead, binHead, extHead, intHead, mapHead, strValue } from '../../encodings/msgpack/packMsgpack';
import type { FileLayout, GroupToWrite, Placed } from '../format';
import { NDARRAY } from './extensionTypes';
import { type KeyTree, keyTree } from './keyTree';

/**
 * Readers of msgpack in Python take at most 2^31 - 1 bytes in one piece. (Flax itself cuts arrays from 1 GiB on, but reads larger ones;
 * cut arrays would not lie in one piece, as a layout needs.)
 */
const MAX_EXT_BYTES = 2 ** 31 - 1;

/**
 * What `flax.serialization.msgpack_serialize` writes: nested dictionaries of arrays. Dictionaries keep the order in which their keys
 * first appear, so groups of one dictionary that were apart come together in the file.
 * @throws CheckpointError unsupported-format, too-large
 */
export function layoutFlax(groups: readonly GroupToWrite[], metadata: readonly MetadataEntry[]): FileLayout {
  const pieces: Placed[] = [];
  const tensors = new Array<number>(groups.length).fill(0);
  let pending: Uint8Array[] = [];
  let start = 0;
  let position = 0;
  const emit = (bytes: Uint8Array) => {
    pending.push(bytes);
    position += bytes.byteLength;
  };
  const flush = () => {
    if (pending.length > 0) pieces.push({ offset: start, bytes: Buffer.concat(pending) });
    pending = [];
  };
  for (const step of traverse(keyTree(groups))) {
    if (step.key !== null) emit(strValue(step.key));
    if (step.kind === 'map') {
      emit(mapHead(step.members));
      continue;
    }
    const group = groups[step.index];
    if (group === undefined) throw new CheckpointError('internal', `There is no group ${step.index}.`);
    const bytes = tensorBytes(group.dtype, group.shape);
    for (const part of arrayParts(group, bytes)) emit(part);
    flush();
    tensors[step.index] = position;
    position += bytes;
    start = position;
    if (!Number.isSafeInteger(position)) throw new CheckpointError('too-large', 'The file would have more than 2^53 bytes.');
  }
  flush();
  return { bytes: position, pieces, tensors, finish: null, notes: metadata.length > 0 ? ['Flax files have no place for metadata: it was left out.'] : [] };
}

type Step = { readonly key: string | null } & ({ readonly kind: 'map'; readonly members: number } | { readonly kind: 'array'; readonly index: number });

/** Keys and values in the order of the file; iterative, as the nesting comes from another file. */
function* traverse(root: KeyTree): Generator<Step> {
  const open: { readonly key: string | null; readonly tree: KeyTree }[] = [{ key: null, tree: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key, tree } = next;
    if (tree.kind === 'leaf') {
      yield { key, kind: 'array', index: tree.index };
      continue;
    }
    yield { key, kind: 'map', members: tree.members.size };
    const members = [...tree.members].map(([name, member]) => ({ key: name, tree: member }));
    for (const member of members.reverse()) open.push(member);
  }
}

/** Everything of an array before its elements. */
function arrayParts({ dtype, shape, keys }: GroupToWrite, bytes: number): Uint8Array[] {
  const place = { group: keys.join('/') };
  if (dtype === 'complex32') throw new CheckpointError('unsupported-format', 'Flax files cannot hold the type complex32.', { place });
  const content = [arrayHead(3), ...shapeParts(shape), strValue(dtype), binHead(bytes)];
  const size = content.reduce((sum, part) => sum + part.byteLength, bytes);
  if (size > MAX_EXT_BYTES)
    throw new CheckpointError('unsupported-format', 'Flax files hold tensors of up to 2 GiB in one piece; this one is larger.', { place });
  return [extHead(NDARRAY, size), ...content];
}

function shapeParts(shape: Shape): Uint8Array[] {
  return [arrayHead(shape.length), ...shape.map(intHead)];
}
