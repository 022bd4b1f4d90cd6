import { CheckpointError } from '../../shared/contract/errors';
import { dtypeBytes } from '../../shared/model/dtype';
import { elementCount, sameShape } from '../../shared/model/shape';
import { joinParts } from '../tensors/comparison/joinParts';
import { pairNumbersOf } from '../tensors/comparison/pairNumbersOf';
import type { PairPart } from '../tensors/comparison/pairPart';
import type { MeasurePairInput, MeasurePairOutput } from './tasks/measurePair';
import { type ElementRange, isPlain } from './tasks/openPair';
import type { RunOptions, WorkerPool } from './workerPool';

/** A pair is divided among the workers from this size of `after` on. */
const LARGE_BYTES = 48 * 1024 * 1024;
/** Parts for each worker: the last ones end at about the same time even where another task is in the way. */
const PARTS_EACH = 2;
/** Parts start at multiples of this many elements, so that their chunks and those of the whole are the same. */
const STEP = 65_536;

/**
 * `pool.run('measurePair', input, options)` with a large pair of plain tensors divided among the workers. The results are joined: counts and
 * maxima are exactly, sums to the last bits, those of one run.
 * @throws CheckpointError as `measurePair` and `WorkerPool.run`
 */
export async function measureInParts(pool: WorkerPool, input: MeasurePairInput, options: RunOptions<'measurePair'> = {}): Promise<MeasurePairOutput> {
  const ranges = rangesOf(pool, input);
  if (ranges.length < 2) return pool.run('measurePair', input, options);
  const { onProgress, ...rest } = options;
  const done = ranges.map(() => 0);
  const total = ranges.reduce((all, { count }) => all + count, 0) * planBytes(input.after);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  // A part that fails ends the others: nobody waits for them any more.
  const failed = new AbortController();
  const signal = rest.signal === undefined ? failed.signal : AbortSignal.any([rest.signal, failed.signal]);
  const runs = ranges.map(async (range, index) => {
    const report = (bytes: number) => {
      done[index] = bytes;
      onProgress?.(sum(done), total);
    };
    try {
      return await pool.run('measurePair', { ...input, structure: false, range }, { ...rest, signal, onProgress: report });
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  const settled = await Promise.allSettled(runs);
  const failures = settled.flatMap((run) => (run.status === 'rejected' ? [CheckpointError.from(run.reason)] : []));
  // The first cause, not the cancels that it led to.
  const failure = failures.find(({ code }) => code !== 'cancelled') ?? failures[0];
  if (failure !== undefined) throw failure;
  const outputs = settled.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
  const part = joinParts(outputs.flatMap((output) => output.part ?? []));
  const whole = joined(input, part, outputs);
  if (!input.structure) return whole;
  const { before, after } = input;
  const { onUnwanted: _, ...others } = rest;
  return { ...whole, ...(await pool.run('pairStructure', { before, after, numbers: whole.numbers, part, thorough: false }, others)) };
}

function planBytes(plan: MeasurePairInput['after']): number {
  return plan.kind === 'ref' ? dtypeBytes(plan.ref.dtype) : 0;
}

function rangesOf({ size }: WorkerPool, { before, after, bins }: MeasurePairInput): ElementRange[] {
  if (bins > 0 || before.kind !== 'ref' || after.kind !== 'ref' || !isPlain(before) || !isPlain(after) || !sameShape(before.ref.shape, after.ref.shape))
    return [];
  const elements = elementCount(after.ref.shape);
  if (elements * dtypeBytes(after.ref.dtype) < LARGE_BYTES || size < 2) return [];
  const each = Math.ceil(elements / (size * PARTS_EACH) / STEP) * STEP;
  const ranges: ElementRange[] = [];
  for (let from = 0; from < elements; from += each) ranges.push({ from, count: Math.min(each, elements - from) });
  return ranges;
}

function joined({ before, after, rtol, atol, largest }: MeasurePairInput, part: PairPart, outputs: readonly MeasurePairOutput[]): MeasurePairOutput {
  const [first] = outputs;
  if (first === undefined || before.kind !== 'ref' || after.kind !== 'ref') throw new CheckpointError('internal', 'A comparison in parts gave none.');
  const { comparedAs, shape } = first.numbers;
  const changes = outputs.flatMap((output) => output.largest);
  return {
    ...first,
    numbers: pairNumbersOf(part, { comparedAs, shape, tolerance: { rtol, atol }, sameType: before.ref.dtype === after.ref.dtype }),
    closeness: part.closeness,
    // The sort is stable: of equally large changes the first stays first.
    largest: [...changes].sort((one, other) => Math.abs(other.delta) - Math.abs(one.delta) || 0).slice(0, largest),
    part: null,
  };
}
