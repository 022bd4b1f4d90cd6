import { throwIfCancelled } from '../../shared/contract/cancelled';
import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { elementCount } from '../../shared/model/shape';
import type { ZarrArray } from '../encodings/zarr/openZarrObject';
import { expandBroadcast } from '../tensors/kernels/broadcast';
import { bytesOf, type Lanes, lanesOf, lanesPerElement, zeroLanes } from '../tensors/kernels/lanes';
import { BLOCK_BYTES } from '../tensors/tensorStream';
import { type Increment, placed, type ReadSteps, withObject } from './chainSteps';
import { WINDOW_BYTES } from './foldAtOnce';
import { openKeptObject } from './openStoredObject';
import type { OrderedPairs } from './pairs';
import { checkResident } from './readMember';
import { createTurns } from './turns';
import type { UpdateChain } from './updateChain';
import { UpdateRun } from './updateRun';
import type { Applier, TensorHeader, Window } from './updateType';

/** What updates may keep decoded from one window to the next. */
const HELD_BYTES = 32 * 1024 * 1024;

export interface OpenedChain {
  readonly chain: UpdateChain;
  readonly steps: ReadSteps;
  readonly base: ZarrArray;
}

/** The raw elements after all steps, in blocks. @throws CheckpointError as `openChain` */
export async function* foldChain({ chain, steps, base }: OpenedChain, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (steps.increments.length === 0) {
    yield* named(chain, steps, base.blocks({ signal }));
    return;
  }
  let source: Base = { header: steps.header, blocks: () => named(chain, steps, base.blocks({ signal })) };
  let increments = steps.increments;
  // A step that makes the value larger needs all of what came before at once; what came before is folded into memory.
  for (let grows = growingStep(increments); grows >= 0; grows = growingStep(increments)) {
    const step = increments[grows];
    if (step === undefined) break;
    source = await materialise(chain, { source, increments: increments.slice(0, grows), target: step, signal });
    increments = increments.slice(grows).map((increment, i) => (i === 0 ? { ...increment, previous: source.header } : increment));
  }
  for await (const window of windows(chain, { source, increments, signal })) {
    const bytes = bytesOf(window.lanes);
    for (let at = 0; at < bytes.byteLength; at += BLOCK_BYTES) {
      throwIfCancelled(signal);
      yield bytes.subarray(at, at + BLOCK_BYTES);
    }
  }
}

/** Where a run of steps begins: a value in the shape that it has after them. */
interface Base {
  readonly header: TensorHeader;
  blocks(): AsyncIterable<Uint8Array>;
}

interface Run {
  readonly source: Base;
  readonly increments: readonly Increment[];
  readonly signal: AbortSignal | undefined;
}

/** The first step whose result has another number of elements than what came before, or -1. */
function growingStep(increments: readonly Increment[]): number {
  return increments.findIndex(({ previous, result }) => elementCount(previous.shape) !== elementCount(result.shape));
}

/**
 * Runs of the value, each of at most WINDOW_BYTES in the widest type that the chain passes through. Every step is opened once a window: the
 * longest chain needs no more memory than the shortest.
 */
async function* windows(chain: UpdateChain, { source, increments, signal }: Run): AsyncGenerator<Window> {
  const total = elementCount(source.header.shape);
  const widest = Math.max(...[source.header, ...increments.map(({ result }) => result)].map(({ dtype }) => dtypeBytes(dtype)));
  const size = Math.floor(WINDOW_BYTES / widest);
  const reader = new BlockReader(source.blocks());
  const appliers = new Map<Increment, Applier>();
  const keep = keepUpTo(HELD_BYTES);
  const turn = createTurns(signal);
  try {
    for (let start = 0; start < total; start += size) {
      const count = Math.min(size, total - start);
      const window: Window = { start, count, dtype: source.header.dtype, lanes: await reader.take(source.header.dtype, count), zeroAdded: false };
      const run = new UpdateRun(window, keep);
      for (const increment of increments) {
        const pending = turn();
        if (pending !== undefined) await pending;
        await withObject(chain, increment.step, { open: openKeptObject, signal }, async ({ members }) => {
          const context = { previous: increment.previous, result: increment.result, signal };
          const applier = appliers.get(increment) ?? (await increment.type.prepare(members, context));
          appliers.set(increment, applier);
          await run.add({ applier, members, dtype: increment.result.dtype });
        });
      }
      yield await run.result();
    }
  } finally {
    await reader.close();
  }
}

/** Says of so many decoded bytes that they may stay. */
function keepUpTo(bytes: number): (pairs: OrderedPairs) => boolean {
  const kept = new Set<OrderedPairs>();
  let left = bytes;
  return (pairs) => {
    if (kept.has(pairs)) return true;
    if (pairs.bytes > left) return false;
    left -= pairs.bytes;
    kept.add(pairs);
    return true;
  };
}

/** Folds the steps before `target` into memory, broadcast to the shape of its result. */
async function materialise(chain: UpdateChain, run: Run & { readonly target: Increment }): Promise<Base> {
  const { target } = run;
  const { dtype } = target.previous;
  const count = elementCount(target.previous.shape);
  const bytes = new Uint8Array(checkResident(dtype, count));
  let at = 0;
  for await (const window of windows(chain, run)) {
    bytes.set(bytesOf(window.lanes), at);
    at += window.lanes.byteLength;
  }
  const header = { dtype, shape: target.result.shape };
  return { header, blocks: () => broadcastBlocks(lanesOf(dtype, bytes), target.previous, header) };
}

async function* broadcastBlocks(lanes: Lanes, from: TensorHeader, to: TensorHeader): AsyncGenerator<Uint8Array> {
  const total = elementCount(to.shape);
  const size = Math.floor(BLOCK_BYTES / dtypeBytes(to.dtype));
  for (let start = 0; start < total; start += size) {
    const count = Math.min(size, total - start);
    const into = zeroLanes(to.dtype, count);
    expandBroadcast(lanes, into, { from: from.shape, to: to.shape, start, count, width: lanesPerElement(to.dtype) });
    yield bytesOf(into);
  }
}

/** Takes runs of elements out of blocks of any size. */
class BlockReader {
  readonly #blocks: AsyncIterator<Uint8Array>;
  #left: Uint8Array = new Uint8Array(0);

  constructor(blocks: AsyncIterable<Uint8Array>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** The next elements. They may be changed until the next ones are taken: whoever gives the blocks does not look at them again. */
  async take(dtype: DType, count: number): Promise<Lanes> {
    const size = count * dtypeBytes(dtype);
    if (this.#left.byteLength === 0) this.#left = await this.#nextBlock();
    if (this.#left.byteLength === size) {
      const whole = this.#left;
      this.#left = new Uint8Array(0);
      return lanesOf(dtype, whole);
    }
    const bytes = new Uint8Array(size);
    for (let done = 0; done < bytes.byteLength; ) {
      if (this.#left.byteLength === 0) this.#left = await this.#nextBlock();
      const part = this.#left.subarray(0, bytes.byteLength - done);
      bytes.set(part, done);
      done += part.byteLength;
      this.#left = this.#left.subarray(part.byteLength);
    }
    return lanesOf(dtype, bytes);
  }

  async #nextBlock(): Promise<Uint8Array> {
    const next = await this.#blocks.next();
    if (next.done === true) throw new RangeError('A value has fewer elements than its shape');
    return next.value;
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }
}

async function* named(chain: UpdateChain, steps: ReadSteps, blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* blocks;
  } catch (error) {
    throw placed(error, chain, steps.base);
  }
}
