import type { TreePlace } from './nameTree';

/** Trees up to this many rows open in full. */
const SHORT = 300;
const FEW_MODULES = 40;

/** Modules that are closed until the user opens them: in a long tree all below the top, and the top too when it is long by itself. */
export function closedAtFirst(tree: readonly TreePlace[]): ReadonlySet<string> {
  const closed = new Set<string>();
  if (tree.length <= SHORT) return closed;
  const top = tree.filter((row) => row.depth === 0).length;
  for (const row of tree) if (row.kind === 'module' && (row.depth > 0 || top > FEW_MODULES)) closed.add(row.id);
  return closed;
}

/** The closed modules after what the user has opened and closed. */
export function applyChoices(closed: ReadonlySet<string>, choices: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const result = new Set(closed);
  for (const [id, isOpen] of choices) {
    if (isOpen) result.delete(id);
    else result.add(id);
  }
  return result;
}
