import { type GraphView, NO_VALUE } from '../../../shared/model/graph';
import { graphIndex } from '../layout/graphIndex';

/** One step of a path pattern: does it accept this operator? */
export type Step = (operator: string) => boolean;

/**
 * `MatMul|Gemm -> * -> Softmax`: operators, or globs of operators, in the order of the data flow; `|` stands between alternatives, and `→` is an
 * arrow too. `null` when a step is empty.
 */
export function parsePath(text: string): Step[] | null {
  const parts = text.split(/->|→/).map((part) => part.trim());
  if (parts.some((part) => part === '')) return null;
  return parts.map((part) => {
    const globs = part.split('|').map((each) => glob(each.trim().toLowerCase()));
    const accept: Step = (operator) => globs.some((fits) => fits(operator));
    // `Gelu` finds `com.microsoft.Gelu` as well.
    return (operator) => accept(operator.toLowerCase()) || accept(operator.slice(operator.lastIndexOf('.') + 1).toLowerCase());
  });
}

/** `*` any text, `?` one character. No regular expression, so that a hostile pattern costs no more than its length times the text's. */
function glob(pattern: string): (text: string) => boolean {
  return (text) => {
    let at = 0;
    let star = -1;
    let from = 0;
    let p = 0;
    while (at < text.length) {
      if (pattern[p] === '*') {
        star = p++;
        from = at;
      } else if (pattern[p] === '?' || (p < pattern.length && pattern[p] === text[at])) {
        p++;
        at++;
      } else if (star >= 0) {
        p = star + 1;
        at = ++from;
      } else return false;
    }
    while (pattern[p] === '*') p++;
    return p === pattern.length;
  };
}

export interface PathMatch {
  /** Where each path ends or passes: all nodes on any path that fits, ascending. */
  readonly nodes: readonly number[];
}

/**
 * Nodes on chains of the data flow that fit the pattern: forwards which nodes may stand at each step, backwards which of them lead to the
 * end. Steps times edges at most. `turn` is awaited between steps.
 */
export async function matchPath(view: GraphView, steps: readonly Step[], turn: () => undefined | Promise<void>): Promise<PathMatch> {
  const { hidden } = graphIndex(view);
  const accepted = steps.map((step) => Uint8Array.from(view.operators, (operator) => (step(operator) ? 1 : 0)));
  const count = view.nodes.names.length;
  const reached: Uint8Array[] = [];
  for (const [step, operators] of accepted.entries()) {
    await turn();
    const before = reached[step - 1];
    const now = new Uint8Array(count);
    for (let node = 0; node < count; node++) {
      // A constant that is shown inside its users is no node of the flow, unless it is asked for.
      if (operators[view.nodes.operator[node] ?? 0] !== 1 || (hidden[node] === 1 && before !== undefined)) continue;
      if (before === undefined || producersOf(view, node).some((producer) => before[producer] === 1)) now[node] = 1;
    }
    reached.push(now);
  }
  const found = new Uint8Array(count);
  let wanted = reached.at(-1) ?? new Uint8Array(count);
  for (let step = steps.length - 1; step >= 0; step--) {
    await turn();
    const above = new Uint8Array(count);
    for (let node = 0; node < count; node++) {
      if (wanted[node] !== 1) continue;
      found[node] = 1;
      if (step > 0) for (const producer of producersOf(view, node)) if (reached[step - 1]?.[producer] === 1) above[producer] = 1;
    }
    wanted = above;
  }
  return { nodes: [...found.keys()].filter((node) => found[node] === 1) };
}

function producersOf({ nodes, values }: GraphView, node: number): number[] {
  const producers: number[] = [];
  for (let i = nodes.inputStarts[node] ?? 0; i < (nodes.inputStarts[node + 1] ?? 0); i++) {
    const value = nodes.inputs[i] ?? NO_VALUE;
    const producer = value === NO_VALUE ? NO_VALUE : (values.producer[value] ?? NO_VALUE);
    if (producer !== NO_VALUE) producers.push(producer);
  }
  return producers;
}
