/** git-theta's own strings; `update_type` of a metadata file may hold others, which we show but cannot apply. */
export const UPDATE_KINDS = ['dense', 'sparse', 'low-rank', 'ia3'] as const;
export type UpdateKind = (typeof UPDATE_KINDS)[number];

export function isUpdateKind(text: string): text is UpdateKind {
  return (UPDATE_KINDS as readonly string[]).includes(text);
}
