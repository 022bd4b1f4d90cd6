import type { PairNumbers, PairStructure } from '../../../shared/model/pairNumbers';
import type { PairPart } from '../../tensors/comparison/pairPart';
import { pairStructureOf } from '../../tensors/comparison/pairStructureOf';
import type { SpectrumBudget } from '../../tensors/comparison/spectrum';
import type { TensorPlan } from '../../updates/updateChain';
import { openPair } from './openPair';
import { openPairSource } from './openPairSource';
import type { TaskContext } from './task';

export interface PairStructureInput {
  readonly before: TensorPlan;
  readonly after: TensorPlan;
  /** What `measurePair` found, of the whole tensors. */
  readonly numbers: PairNumbers;
  readonly part: PairPart;
  /** Whether somebody looks at this pair alone and waits for its spectrum. */
  readonly thorough: boolean;
}

export interface PairStructureOutput {
  readonly structure: PairStructure;
}

/** For one pair among many: a fraction of a second for the head of a spectrum that does not fall away, some seconds for a low rank, which few are. */
const QUICK: SpectrumBudget = { head: 1e8, lowRank: 2e9 };
const THOROUGH: SpectrumBudget = { head: 3e9, lowRank: 8e9 };

export function structureBudget(thorough: boolean): SpectrumBudget {
  return thorough ? THOROUGH : QUICK;
}

/** The kind of change between two tensors whose numbers are known. @throws CheckpointError what reading throws */
export async function pairStructure({ numbers, part, thorough, ...plans }: PairStructureInput, context: TaskContext): Promise<PairStructureOutput> {
  const pair = await openPair({ ...plans, range: null }, context.signal);
  try {
    const source = openPairSource(pair, plans, context);
    return { structure: await pairStructureOf(source, { numbers, part, budget: structureBudget(thorough) }) };
  } finally {
    await pair.close();
  }
}
