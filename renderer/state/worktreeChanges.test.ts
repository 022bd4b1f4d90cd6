import { expect, it } from 'vitest';
import { isCommittable, isDiscardable } from './worktreeChanges';

it.each([
  ['modified', true, true],
  ['added', true, false],
  ['untracked', false, false],
  ['deleted', false, true],
  // Either would decide the merge.
  ['conflict', false, false],
] as const)('what is %s can be committed: %s, and discarded: %s', (kind, committable, discardable) => {
  expect(isCommittable({ kind })).toBe(committable);
  expect(isDiscardable({ kind })).toBe(discardable);
});
