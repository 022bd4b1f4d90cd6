import { formatBytes } from '../../shared/base/formatBytes';
import { CheckpointError } from '../../shared/contract/errors';
import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { elementCount, tensorBytes } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { type Lanes, lanesOf } from '../tensors/kernels/lanes';
import { BLOCK_BYTES } from '../tensors/tensorStream';
import type { Members } from './updateType';

/** An operand of an update that has to be in memory as a whole may not be larger. */
const MAX_RESIDENT = 1024 ** 3;

/** @throws CheckpointError malformed when the object has no such member */
export function requireMember(members: Members, name: string): ZarrArray {
  // git-theta takes an object with this member for a plain array, whatever else is in it.
  if (members.has('parameter') && name !== 'parameter') {
    throw new CheckpointError('malformed', `The object holds a plain array, not the member ${JSON.stringify(name)} that its update type needs.`);
  }
  const member = members.get(name);
  if (member === undefined) {
    const found = [...members.keys()].slice(0, 8).map((key) => JSON.stringify(key.slice(0, 40)));
    throw new CheckpointError('malformed', `The object has no member ${JSON.stringify(name)}; it has ${found.length === 0 ? 'none' : found.join(', ')}.`);
  }
  return member;
}

/** All elements of an array. @throws CheckpointError too-large */
export async function readAll(array: ZarrArray, signal?: AbortSignal): Promise<Lanes> {
  return readRange(array, { start: 0, count: elementCount(array.shape) }, signal);
}

/** Elements [start, start + count) of an array. @throws CheckpointError too-large */
export async function readRange(array: ZarrArray, range: { readonly start: number; readonly count: number }, signal?: AbortSignal): Promise<Lanes> {
  const item = dtypeBytes(array.dtype);
  const bytes = new Uint8Array(checkResident(array.dtype, range.count));
  let done = 0;
  if (range.count > 0) {
    for await (const block of array.blocks({ signal, from: range.start })) {
      const part = block.subarray(0, bytes.byteLength - done);
      bytes.set(part, done);
      done += part.byteLength;
      if (done === range.count * item) break;
    }
  }
  return lanesOf(array.dtype, bytes);
}

/** As `readRange`, in the memory that the array was read into; that of an array in memory must not be changed. @throws CheckpointError too-large */
export async function readView(array: ZarrArray, range: { readonly start: number; readonly count: number }, signal?: AbortSignal): Promise<Lanes> {
  const size = checkResident(array.dtype, range.count);
  if (size > 0 && size <= BLOCK_BYTES) {
    for await (const block of array.blocks({ signal, from: range.start })) {
      // The last block holds for as long as nothing is read behind it.
      if (block.byteLength >= size) return lanesOf(array.dtype, block.subarray(0, size));
      break;
    }
  }
  return readRange(array, range, signal);
}

/** Bytes of so many elements. @throws CheckpointError too-large when they should not be held in memory at once */
export function checkResident(dtype: DType, count: number): number {
  const bytes = tensorBytes(dtype, [count]);
  if (bytes > MAX_RESIDENT) {
    throw new CheckpointError('too-large', `An update needs ${formatBytes(bytes)} in memory at once; ${formatBytes(MAX_RESIDENT)} are allowed.`);
  }
  return bytes;
}
