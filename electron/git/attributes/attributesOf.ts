import type { AttributeRule, AttributeValue } from './parseAttributes';

/** Rules of one file with the folder they are relative to: '' for the root, else ending in `/`. */
export interface AttributeLevel {
  readonly folder: string;
  readonly rules: readonly AttributeRule[];
  /** Where they stand, for people: a path in the repository, or an absolute one outside of the work tree. */
  readonly file: string;
}

/** What an attribute of a path is, and which line says so. */
export interface ExplainedAttribute {
  readonly value: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

const BUILT_IN_MACROS: readonly (readonly [string, readonly (readonly [string, AttributeValue])[]])[] = [
  [
    'binary',
    [
      ['diff', false],
      ['merge', false],
      ['text', false],
    ],
  ],
];

/**
 * Attributes of one path, levels given from the weakest to the strongest; within a level later lines win. An attribute
 * that a stronger line has settled, be it to unspecified, stays. Unspecified ones are not in the answer.
 */
export function attributesOf(path: string, levels: readonly AttributeLevel[]): ReadonlyMap<string, string> {
  return new Map([...explainAttributes(path, levels)].map(([name, { value }]) => [name, value]));
}

/** The same with the line that settles each; for a macro the line that sets it. */
export function explainAttributes(path: string, levels: readonly AttributeLevel[]): ReadonlyMap<string, ExplainedAttribute> {
  const macros = new Map(BUILT_IN_MACROS);
  for (const level of levels) for (const rule of level.rules) if (rule.macro !== null) macros.set(rule.macro, rule.assignments);
  const settled = new Map<string, { readonly value: AttributeValue; readonly file: string; readonly line: number }>();
  const fill = ({ assignments, line }: AttributeRule, file: string) => {
    // A macro is expanded where it is set, and everything it gives is weaker than what was settled before: the stack
    // holds what is still to come, and a name is settled only once, so it ends even when macros name each other.
    const stack = [...assignments];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const [name, value] = next;
      if (settled.has(name)) continue;
      settled.set(name, { value, file, line });
      if (value === true) stack.push(...(macros.get(name) ?? []));
    }
  };
  for (const level of levels.toReversed()) {
    if (!path.startsWith(level.folder)) continue;
    const relative = path.slice(level.folder.length);
    const base = relative.slice(relative.lastIndexOf('/') + 1);
    for (const rule of level.rules.toReversed()) {
      if (rule.pattern?.matches(rule.baseName ? base : relative)) fill(rule, level.file);
    }
  }
  const answer = new Map<string, ExplainedAttribute>();
  for (const [name, { value, file, line }] of settled) {
    if (value !== null) answer.set(name, { value: value === true ? 'set' : value === false ? 'unset' : value, file, line });
  }
  return answer;
}
