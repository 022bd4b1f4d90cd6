import { CheckpointError } from '../../shared/contract/errors';
import type { ThetaObject } from './openStoredObject';
import { requireMember } from './readMember';
import { INCREMENTAL_UPDATES } from './registry';
import { createTurns } from './turns';
import type { ChainStep, StoredObject, UpdateChain } from './updateChain';
import type { IncrementalUpdateType, TensorHeader } from './updateType';

/** How the object of a step is opened: verified, or only for its headers. */
export type OpenObject = (object: StoredObject, signal?: AbortSignal) => Promise<ThetaObject>;

export interface Increment {
  readonly step: ChainStep;
  readonly type: IncrementalUpdateType;
  readonly previous: TensorHeader;
  /** After this step. */
  readonly result: TensorHeader;
}

export interface ReadSteps {
  readonly base: ChainStep;
  readonly header: TensorHeader;
  readonly increments: readonly Increment[];
}

/**
 * Reads the headers of all steps in order, one object open at a time, and works out what NumPy would give after each.
 * @throws CheckpointError of opening; malformed when the steps do not fit each other
 */
export async function readSteps(chain: UpdateChain, open: OpenObject, signal?: AbortSignal): Promise<ReadSteps> {
  const { base, rest } = splitChain(chain);
  const header = await withObject(chain, base, { open, signal }, async ({ members }) => {
    const { dtype, shape } = requireMember(members, 'parameter');
    return { dtype, shape };
  });
  const increments: Increment[] = [];
  const turn = createTurns(signal);
  let previous: TensorHeader = header;
  for (const step of rest) {
    const pending = turn();
    if (pending !== undefined) await pending;
    const before = previous;
    const type = incrementalType(chain, step);
    previous = await withObject(chain, step, { open, signal }, ({ members }) => type.header(members, before));
    increments.push({ step, type, previous: before, result: previous });
  }
  return { base, header, increments };
}

/** Opens a step's object, uses it and closes it; whatever goes wrong names group, commit and object. */
export async function withObject<T>(
  chain: UpdateChain,
  step: ChainStep,
  options: { readonly open: OpenObject; readonly signal: AbortSignal | undefined },
  use: (object: ThetaObject) => Promise<T>,
): Promise<T> {
  try {
    const object = await options.open(step.object, options.signal);
    try {
      return await use(object);
    } finally {
      await object.close();
    }
  } catch (error) {
    throw placed(error, chain, step);
  }
}

/** Whatever goes wrong in `work` names group, commit and object of a step. */
export async function atStep<T>(chain: UpdateChain, step: ChainStep, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw placed(error, chain, step);
  }
}

/** The error with group, commit and object. */
export function placed(error: unknown, chain: UpdateChain, step: ChainStep): CheckpointError {
  return CheckpointError.from(error).at({ group: chain.group, oid: step.object.oid, ...(step.commit === null ? {} : { commit: step.commit }) });
}

/** The dense step at the beginning, and the others. @throws CheckpointError malformed */
export function splitChain(chain: UpdateChain): { readonly base: ChainStep; readonly rest: readonly ChainStep[] } {
  const [base, ...rest] = chain.steps;
  if (base === undefined || base.kind !== 'dense') {
    throw new CheckpointError('malformed', 'The history of this parameter group does not begin with a complete value.', { place: { group: chain.group } });
  }
  return { base, rest };
}

/** @throws CheckpointError malformed for a dense step */
export function incrementalType(chain: UpdateChain, step: ChainStep): IncrementalUpdateType {
  if (step.kind === 'dense') {
    throw new CheckpointError('malformed', 'A complete value stands in the middle of a chain of updates.', {
      place: { group: chain.group, oid: step.object.oid },
    });
  }
  return INCREMENTAL_UPDATES[step.kind];
}
