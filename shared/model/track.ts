import type { UpdateKind } from './update';

/** How a group is stored: `auto` takes the cheapest update that gives the exact bits back. */
export const UPDATE_CHOICES = ['auto', 'dense', 'sparse', 'low-rank', 'ia3'] as const satisfies readonly ('auto' | UpdateKind)[];
export type UpdateChoice = (typeof UPDATE_CHOICES)[number];

export function isUpdateChoice(text: string): text is UpdateChoice {
  return (UPDATE_CHOICES as readonly string[]).includes(text);
}
