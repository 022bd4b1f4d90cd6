/** Numbers that a condition can ask about: of the value itself, or of its change since the version before. */
export const VALUE_QUANTITIES = ['min', 'max', 'mean', 'std', 'l1', 'norm', 'zeros', 'sparsity', 'nan', 'inf', 'subnormals', 'distinct'] as const;
export const CHANGE_QUANTITIES = ['delta', 'relative_l2', 'max_abs', 'mean_abs', 'cosine', 'changed_share'] as const;
export type ValueQuantity = (typeof VALUE_QUANTITIES)[number];
export type ChangeQuantity = (typeof CHANGE_QUANTITIES)[number];

const OPERATORS = ['>=', '<=', '==', '!=', '>', '<'] as const;
export type ConditionOperator = (typeof OPERATORS)[number];

export interface Condition {
  readonly quantity: ValueQuantity | ChangeQuantity;
  readonly operator: ConditionOperator;
  readonly threshold: number;
}

/** `std > 1`, `nan != 0`, `changed_share >= 0.01`. @returns the condition, or in a sentence what is wrong with the text */
export function parseCondition(text: string): Condition | string {
  const match = /^\s*([a-z_0-9]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)\s*$/.exec(text);
  const known = [...VALUE_QUANTITIES, ...CHANGE_QUANTITIES];
  if (match === null) return `A condition is a quantity, a comparison and a number, such as "std > 1". Quantities: ${known.join(', ')}.`;
  const [, name, sign, digits = ''] = match;
  const quantity = known.find((candidate) => candidate === name);
  const operator = OPERATORS.find((candidate) => candidate === sign);
  if (quantity === undefined || operator === undefined) return `"${name}" is no quantity that is known. Quantities: ${known.join(', ')}.`;
  const threshold = Number(digits);
  if (!Number.isFinite(threshold)) return `"${digits}" is not a number.`;
  return { quantity, operator, threshold };
}

export function isChangeQuantity(quantity: ValueQuantity | ChangeQuantity): quantity is ChangeQuantity {
  return (CHANGE_QUANTITIES as readonly string[]).includes(quantity);
}

/** Whether a number meets the condition; one that does not exist (no finite element) meets none. */
export function holds({ operator, threshold }: Condition, value: number | null): boolean {
  if (value === null) return false;
  switch (operator) {
    case '>':
      return value > threshold;
    case '>=':
      return value >= threshold;
    case '<':
      return value < threshold;
    case '<=':
      return value <= threshold;
    case '==':
      return value === threshold;
    case '!=':
      return value !== threshold;
  }
}
