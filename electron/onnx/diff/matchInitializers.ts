import type { GraphInitializer } from '../../../shared/model/graph';
import { isNumberedName } from '../../../shared/model/isNumberedName';

/** An initializer of one side, with what tells it. */
export interface InitializerItem {
  /** Index in its view. */
  readonly index: number;
  readonly initializer: GraphInitializer;
  /** Path of its scope, in the words of side B. `null`: B has no such scope. */
  readonly scope: string | null;
  readonly digest: string;
  /** Uses in the words of side B: `node 3 input 1` of nodes that both sides have. */
  readonly uses: readonly string[];
}

export interface InitializerPair {
  readonly a: InitializerItem;
  readonly b: InitializerItem;
}

/**
 * Initializers of two models that are the same ones: of one name; else of equal content, where that tells only one; else in the same input of
 * the same node. A number that an exporter gave (`onnx::Conv_35`) may be that of another weight in the other model: it is trusted last.
 */
export function matchInitializers(a: readonly InitializerItem[], b: readonly InitializerItem[]): InitializerPair[] {
  const left = new Set(a);
  const right = new Set(b);
  const pairs: InitializerPair[] = [];
  const pair = (first: InitializerItem, second: InitializerItem) => {
    pairs.push({ a: first, b: second });
    left.delete(first);
    right.delete(second);
  };
  const matchBy = (keyOf: (item: InitializerItem) => string | null) => {
    const others = uniqueBy(right, keyOf);
    for (const [key, item] of uniqueBy(left, keyOf)) {
      const other = item === null ? null : (others.get(key) ?? null);
      if (item !== null && other !== null) pair(item, other);
    }
  };
  const nameKey = ({ scope, initializer }: InitializerItem) => (scope === null ? null : JSON.stringify([scope, initializer.name]));
  matchBy((item) => (isNumberedName(item.initializer.name) ? null : nameKey(item)));
  matchBy(({ digest, uses }) => JSON.stringify([digest, uses]));
  matchBy(({ digest }) => digest);
  matchBy(({ uses }) => uses[0] ?? null);
  matchBy(nameKey);
  return pairs;
}

/** Items by key; `null` where several share one. */
function uniqueBy(items: Iterable<InitializerItem>, keyOf: (item: InitializerItem) => string | null): Map<string, InitializerItem | null> {
  const found = new Map<string, InitializerItem | null>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) found.set(key, found.has(key) ? null : item);
  }
  return found;
}
