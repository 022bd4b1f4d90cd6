import type { GitThetaKind } from './update';

/** How a group is stored: `auto` takes the cheapest update that gives the exact bits back. */
export const UPDATE_CHOICES = ['auto', 'dense', 'sparse', 'low-rank', 'ia3'] as const satisfies readonly ('auto' | GitThetaKind)[];
export type UpdateChoice = (typeof UPDATE_CHOICES)[number];
