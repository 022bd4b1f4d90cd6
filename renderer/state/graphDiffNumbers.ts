import { CheckpointError } from '../../shared/contract/errors';
import type { PairNumbers } from '../../shared/model/pairNumbers';
import type { Side } from '../../shared/model/side';
import type { Client } from '../client/client';

/** What was measured of one initializer that both sides have; `error` says why it could not be. */
export interface InitializerNumbers {
  readonly numbers: PairNumbers | null;
  readonly error: CheckpointError | null;
}

export interface PairQuestion {
  readonly initializer: number;
  /** Name of its parameter group, the same on both sides. */
  readonly group: string;
}

interface MeasureOptions {
  readonly client: Client;
  readonly sides: { readonly a: Side; readonly b: Side };
  readonly signal: AbortSignal;
  /** After each batch. */
  readonly onNumbers: (initializers: readonly (readonly [number, InitializerNumbers])[]) => void;
}

const BATCH = 32;

/** Measures pairs of tensors batch by batch. @throws CheckpointError when a side cannot be opened, or cancelled */
export async function measurePairs(questions: readonly PairQuestion[], { client, sides, signal, onNumbers }: MeasureOptions): Promise<void> {
  for (let from = 0; from < questions.length; from += BATCH) {
    const batch = questions.slice(from, from + BATCH);
    const pairs = batch.map(({ group }) => ({ a: group, b: group }));
    const answers = await client.request('compare/numbers', { ...sides, pairs, rtol: 0, atol: 0 }, { signal });
    if (signal.aborted) return;
    onNumbers(
      batch.map(({ initializer }, at) => {
        const answer = answers[at];
        const error = answer?.error == null ? null : CheckpointError.fromData(answer.error);
        return [initializer, { numbers: answer?.numbers ?? null, error }] as const;
      }),
    );
  }
}
