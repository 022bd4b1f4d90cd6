import { isOwnKind } from '../../shared/model/update';
import type { UpdateChain } from './updateChain';

/** Whether the value of a chain is one that git-theta cannot read, because an update type of our own is among its steps. */
export function usesOwnTypes({ steps }: UpdateChain): boolean {
  return steps.some(({ kind }) => isOwnKind(kind));
}
