import { formatBytes } from '../../../shared/base/formatBytes';
import type { UpdateChain } from '../updateChain';

/** @param reason the end of a sentence, without its full stop */
export function fullCopyBecause(reason: string): string {
  return `Stored as a full copy, because ${reason}.`;
}

/** Said when a chain has as many steps as are allowed. */
export function tooManySteps({ steps }: UpdateChain): string {
  return fullCopyBecause(`its chain has ${steps.length} ${steps.length === 1 ? 'step' : 'steps'} already`);
}

/** Said when a chain has an update of our own in it, and these are not allowed. */
export function notForGitTheta(): string {
  return fullCopyBecause(
    'git-theta cannot read the previous value: an update type of our own is among its updates, which the setting theta.updates does not allow',
  );
}

/** Said when the updates since the last full copy cost more than one. */
export function chainTooLarge(spent: number, full: number): string {
  return fullCopyBecause(`the updates since the last one would take ${formatBytes(spent)}, and a full copy takes ${formatBytes(full)}`);
}

/** Said when the update that was asked for saves nothing. */
export function notSmaller(update: number, full: number): string {
  return fullCopyBecause(`the update would take ${formatBytes(update)}, and a full copy takes ${formatBytes(full)}`);
}

/** Bytes of the updates since the last full copy. */
export function chainBytes({ steps }: UpdateChain): number {
  return steps.slice(1).reduce((sum, { object }) => sum + object.bytes, 0);
}
