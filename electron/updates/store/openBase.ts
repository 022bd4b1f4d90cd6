import { CheckpointError } from '../../../shared/contract/errors';
import type { TensorStream } from '../../tensors/tensorStream';
import { openChain } from '../openChain';
import type { UpdateChain } from '../updateChain';
import { readKept } from './keptValues';

/** The previous value of a group cannot be read; the new one is none the worse for it. The message is that of what went wrong. */
export class UnreadableBase extends Error {
  override readonly name = 'UnreadableBase';
}

/**
 * Opens the previous value, so that its failures are told from those of the new one.
 * @param values folder of kept values, or `null`
 * @throws UnreadableBase; CheckpointError cancelled
 */
export async function openBase(chain: UpdateChain, values: string | null, signal: AbortSignal): Promise<TensorStream> {
  const kept = values === null ? null : readKept(values, chain);
  if (kept !== null) return kept;
  const stream = await openChain(chain, signal).catch(asUnreadable);
  return { ...stream, blocks: (cancel) => guarded(stream.blocks(cancel)) };
}

async function* guarded(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = blocks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(asUnreadable);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function asUnreadable(error: unknown): never {
  const known = CheckpointError.from(error);
  if (known.code === 'cancelled') throw known;
  throw new UnreadableBase(known.message, { cause: error });
}
