import { BoundedMap } from '../../shared/base/boundedMap';
import { dtypeKind } from '../../shared/model/dtype';
import { type EqualPair, pairEqual, withoutPairs } from '../../shared/model/pairEqual';
import { elementCount } from '../../shared/model/shape';
import { SignatureAccumulator } from '../tensors/signature/signature';
import type { ThetaEntry } from './metadata';

/** What a NaN or a sum out of range makes of every number of a signature. */
const SATURATED = -(2n ** 63n);
/** The signature of a constant is computed for up to this many elements, 16 multiplications each; larger tensors are not constant in practice. */
const MAX_CONSTANT_ELEMENTS = 1 << 20;
const BLOCK = 1 << 16;
/** What rounding may change in a product of signatures, relative to it. */
const ROUNDING = 1e-9;

/** What of an entry says which value it has. */
export type EntryContent = Pick<ThetaEntry, 'name' | 'dtype' | 'shape' | 'oid' | 'updateType' | 'signature'>;

/**
 * Entries that kept their value and changed their name, from metadata alone: the same object behind two full copies, or else the same signature. An
 * update of another name has another base, so there the object says nothing. A value that unrelated groups often share (zeros, ones) counts only
 * where the names are alike.
 */
export function findRenames<T extends EntryContent>(removed: readonly T[], added: readonly T[]): readonly EqualPair<T>[] {
  if (removed.length === 0 || added.length === 0) return [];
  const rule = { nameOf: (entry: T) => entry.name, isCommon: ({ b }: EqualPair<T>) => isCommonContent(b) };
  const kindOf = ({ dtype, shape }: T) => `${dtype} [${shape.join(',')}]`;
  const all = { a: removed, b: added };
  const byObject = pairEqual(all, { ...rule, keyOf: (entry) => (entry.updateType === 'dense' ? `${kindOf(entry)} ${entry.oid}` : null) });
  const rest = withoutPairs(all, byObject);
  const bySignature = pairEqual(rest, {
    ...rule,
    keyOf: (entry) => (tellsValues(entry) ? `${kindOf(entry)} ${entry.signature.join(' ')}` : null),
  });
  return [...byObject, ...bySignature];
}

/** Complex types have no signature but zeros; NaN and sums out of range look all the same. */
function tellsValues<T extends EntryContent>(entry: T): entry is T & { readonly signature: readonly bigint[] } {
  const { signature, dtype } = entry;
  return signature !== null && signature.length > 0 && dtypeKind(dtype) !== 'complex' && !signature.includes(SATURATED);
}

/** Whether an entry's value is one that groups have in common which have nothing to do with each other: one number over and over, or nobody can tell. */
export function isCommonContent(entry: EntryContent): boolean {
  if (!tellsValues(entry) || entry.signature.every((number) => number === 0n)) return true;
  const { signature, shape } = entry;
  const elements = elementCount(shape);
  if (elements > MAX_CONSTANT_ELEMENTS) return false;
  return isMultiple(signature, signatureOfOnes(elements));
}

/** Signatures are linear but for rounding down: that of a constant is as many times that of ones. */
function isMultiple(signature: readonly bigint[], ones: readonly bigint[]): boolean {
  let widest = 0;
  ones.forEach((number, index) => {
    if (abs(number) > abs(ones[widest] ?? 0n)) widest = index;
  });
  const unit = Number(ones[widest] ?? 0n);
  if (unit === 0) return true;
  const factor = Number(signature[widest] ?? 0n) / unit;
  return ones.every((number, index) => {
    const expected = factor * Number(number);
    return Math.abs(Number(signature[index] ?? 0n) - expected) <= 2 + 2 * Math.abs(factor) + Math.abs(expected) * ROUNDING;
  });
}

function abs(number: bigint): bigint {
  return number < 0n ? -number : number;
}

const known = new BoundedMap<number, readonly bigint[]>(64);

function signatureOfOnes(elements: number): readonly bigint[] {
  const found = known.get(elements);
  if (found !== undefined) return found;
  const signature = new SignatureAccumulator('uint8');
  const block = new Uint8Array(Math.min(BLOCK, elements)).fill(1);
  for (let done = 0; done < elements; done += BLOCK) signature.add(block.subarray(0, Math.min(BLOCK, elements - done)));
  const finished = signature.finish();
  known.set(elements, finished);
  return finished;
}
