/** git-theta's own strings. */
export const GIT_THETA_KINDS = ['dense', 'sparse', 'low-rank', 'ia3'] as const;
/** Types of our own, which are written only where the user allows them: git-theta cannot read them. */
export const OWN_KINDS = ['sparse-values'] as const;
/** What can be applied; `update_type` of a metadata file may hold other strings, which we show but cannot apply. */
export const UPDATE_KINDS = [...GIT_THETA_KINDS, ...OWN_KINDS] as const;

export type GitThetaKind = (typeof GIT_THETA_KINDS)[number];
export type UpdateKind = (typeof UPDATE_KINDS)[number];

export function isUpdateKind(text: string): text is UpdateKind {
  return (UPDATE_KINDS as readonly string[]).includes(text);
}

/** Whether git-theta cannot read an update of this type, nor what builds on it. */
export function isOwnKind(text: string): boolean {
  return (OWN_KINDS as readonly string[]).includes(text);
}
