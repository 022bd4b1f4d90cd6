import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, unlinkSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { dtype, shape } from '../../../shared/contract/schemas';
import { tensorBytes } from '../../../shared/model/shape';
import { type Lease, leaseBytes } from '../../bytes/leaseBytes';
import { readWholeSync } from '../../bytes/readWholeSync';
import type { TensorStream } from '../../tensors/tensorStream';
import { chainKey } from '../chainKey';
import { identityOf } from '../openVerified';
import type { UpdateChain } from '../updateChain';
import { streamOf } from './holdInMemory';

/** Smaller values are computed as fast as they are read; larger ones are not held in memory. */
const KEPT = { from: 32 * 1024, to: 32 * 1024 * 1024 } as const;
/** The last bytes of a file say how long the description in front of them is. */
const LENGTH_BYTES = 4;
const MAX_DESCRIPTION = 4096;

const description = v.object({ dtype, shape, objects: v.string(), sha256: v.string() });

/** A value in memory, which was hashed when it was read. */
export interface KeptValue extends TensorStream {
  /** Of its raw little-endian C-order bytes. */
  readonly sha256: string;
}

/**
 * The value of a chain as it was kept when the last step was stored; `null` when it was not kept, is damaged, or an object of the chain is no
 * longer the file that it was: whoever builds on the value counts on all of them.
 */
export function readKept(folder: string, chain: UpdateChain): KeptValue | null {
  let lease: Lease | undefined;
  try {
    const file = join(folder, chainKey(chain));
    const memory = (size: number) => {
      lease = leaseBytes(size);
      return lease.bytes;
    };
    const { bytes } = readWholeSync(file, ({ size }) => checkSize(Number(size)), memory);
    const end = bytes.byteLength - LENGTH_BYTES;
    const begin = end - Buffer.from(bytes.buffer, bytes.byteOffset + end, LENGTH_BYTES).readUInt32LE();
    const value = bytes.subarray(0, begin);
    const known = v.parse(description, JSON.parse(Buffer.from(bytes.subarray(begin, end)).toString('utf8')));
    checkKept(known, { value, objects: identitiesOf(chain) });
    const now = new Date();
    utimesSync(file, now, now);
    return { dtype: known.dtype, shape: known.shape, ...streamOf(value), sha256: known.sha256, close: async () => lease?.release() };
  } catch {
    // Then it is computed.
    lease?.release();
    return null;
  }
}

/**
 * Keeps the value of a chain of updates, so that the next change of the group need not compute it. Never fails, and nothing waits for the disk:
 * what is kept is checked when it is read, and may be deleted.
 * @param sha256 of its raw little-endian C-order bytes
 */
export async function keepValue(folder: string, chain: UpdateChain, value: TensorStream & { readonly sha256: string }): Promise<void> {
  const bytes = tensorBytes(value.dtype, value.shape);
  if (chain.steps.length < 2 || value.inMemory !== true || bytes < KEPT.from || bytes > KEPT.to) return;
  const temporary = join(folder, `${randomUUID()}.partial`);
  try {
    const text = Buffer.from(JSON.stringify({ dtype: value.dtype, shape: value.shape, objects: identitiesOf(chain), sha256: value.sha256 }));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(text.byteLength);
    mkdirSync(folder, { recursive: true });
    const file = openSync(temporary, 'wx', 0o600);
    try {
      for await (const block of value.blocks()) writeAll(file, block);
      writeAll(file, Buffer.concat([text, length]));
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(folder, chainKey(chain)));
  } catch {
    remove(temporary);
  }
}

function checkKept(known: v.InferOutput<typeof description>, { value, objects }: { readonly value: Uint8Array; readonly objects: string }): void {
  if (known.objects !== objects) throw new RangeError('An object is not the file that it was');
  if (tensorBytes(known.dtype, known.shape) !== value.byteLength) throw new RangeError('The value has another size');
  if (createHash('sha256').update(value).digest('hex') !== known.sha256) throw new RangeError('The value is damaged');
}

function checkSize(size: number): void {
  if (size < KEPT.from || size > KEPT.to + MAX_DESCRIPTION) throw new RangeError('No value of this size is kept');
}

/** Changes when an object of the chain is written anew. @throws CheckpointError missing-object */
function identitiesOf({ steps }: UpdateChain): string {
  const hash = createHash('sha256');
  for (const { object } of steps) hash.update(`${identityOf(object)}\n`);
  return hash.digest('hex');
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.byteLength; ) {
    const written = writeSync(file, bytes, done);
    if (written === 0) throw new RangeError('Nothing more could be written');
    done += written;
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was not made, or stays until it is old.
  }
}
