import { type DType, dtypeBytes } from '../../shared/model/dtype';
import { lanesPerElement } from '../tensors/kernels/lanes';
import type { OrderedPairs } from './pairs';
import type { Applier, Members, Window } from './updateType';

/** Bytes of the value that all waiting updates are applied to before the next such piece: they stay in the second cache meanwhile. */
const TILE_BYTES = 256 * 1024;
/** Decoded bytes of updates that wait, about. */
const WAITING_BYTES = 2 * 1024 * 1024;

export interface NextUpdate {
  readonly applier: Applier;
  readonly members: Members;
  /** Element type after it. */
  readonly dtype: DType;
}

/**
 * Applies updates to a window, one after the other. Those that are decoded and touch single elements wait for each other: all of them are applied to
 * one part of the window, then to the next, because a processor that jumps all over a large window mostly waits for its memory.
 */
export class UpdateRun {
  readonly #keep: (pairs: OrderedPairs) => boolean;
  #window: Window;
  #waiting: NextUpdate[] = [];
  #bytes = 0;

  /** @param keep whether what an update has decoded is to stay for another window */
  constructor(window: Window, keep: (pairs: OrderedPairs) => boolean) {
    this.#window = window;
    this.#keep = keep;
  }

  /** The update's members may be closed when this has come to its end. @throws CheckpointError what applying it throws */
  async add(update: NextUpdate): Promise<void> {
    const { applier, members, dtype } = update;
    const bytes = applier.pairs?.bytes ?? 0;
    if (bytes > 0 && dtype === this.#window.dtype) {
      this.#waiting.push(update);
      this.#bytes += bytes;
      if (this.#bytes > WAITING_BYTES) await this.#applyWaiting();
      return;
    }
    await this.#applyWaiting();
    this.#window = await applier.apply(this.#window, members);
    this.#settle(update);
  }

  /** What the updates so far have made of the window. */
  async result(): Promise<Window> {
    await this.#applyWaiting();
    return this.#window;
  }

  async #applyWaiting(): Promise<void> {
    const updates = this.#waiting.splice(0);
    this.#bytes = 0;
    if (updates.length > 0) this.#window = await applyInTiles(updates, this.#window);
    for (const update of updates) this.#settle(update);
  }

  #settle({ applier: { pairs } }: NextUpdate): void {
    if (pairs !== undefined && pairs.bytes > 0 && !this.#keep(pairs)) pairs.release();
  }
}

async function applyInTiles(updates: readonly NextUpdate[], window: Window): Promise<Window> {
  const { dtype, lanes } = window;
  const size = TILE_BYTES / dtypeBytes(dtype);
  const width = lanesPerElement(dtype);
  let zeroAdded = true;
  for (let at = 0; at < window.count; at += size) {
    const count = Math.min(size, window.count - at);
    let tile: Window = { ...window, start: window.start + at, count, lanes: lanes.subarray(at * width, (at + count) * width) };
    for (const { applier, members } of updates) tile = await applier.apply(tile, members);
    zeroAdded &&= tile.zeroAdded;
  }
  return { ...window, zeroAdded };
}
