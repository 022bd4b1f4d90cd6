/** Hooks of git that this program takes part in. */
export const HOOK_NAMES = ['pre-push', 'post-commit', 'post-merge', 'post-rewrite'] as const;
export type HookName = (typeof HOOK_NAMES)[number];
