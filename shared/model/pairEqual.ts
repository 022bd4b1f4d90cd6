import { nameLikeness } from './nameLikeness';

/** Things that are gone, and things that are new. */
export interface Unpaired<T> {
  readonly a: readonly T[];
  readonly b: readonly T[];
}

export interface EqualPair<T> {
  readonly a: T;
  readonly b: T;
}

export interface EqualRule<T> {
  nameOf(item: T): string;
  /** Equal keys mean equal content; `null`: nothing is known about it. */
  keyOf(item: T, side: 'a' | 'b'): string | null;
  /** Whether it is a content that things have in common which have nothing to do with each other: all zeros, all ones. Asked only where names do not tell. */
  isCommon(pair: EqualPair<T>): boolean;
}

/** Names that are half the same are alike. */
const LIKE_ENOUGH = 0.5;
/** Of more things with one content the names are not compared each with each: only those count that one renamed module explains. */
const MAX_CHOICES = 64;

/**
 * What was renamed: things of equal content on both sides, one to one. One that is alone with its content on each side is the same unless that content
 * is a common one; among several, and for a common content, the names must be alike and each other's single likest. What stays open is no pair.
 */
export function pairEqual<T>({ a, b }: Unpaired<T>, rule: EqualRule<T>): readonly EqualPair<T>[] {
  const sets = new Map<string, { a: T[]; b: T[] }>();
  for (const [side, items] of [['a', a] as const, ['b', b] as const]) {
    for (const item of items) {
      const key = rule.keyOf(item, side);
      if (key === null) continue;
      const set = sets.get(key) ?? { a: [], b: [] };
      set[side].push(item);
      sets.set(key, set);
    }
  }
  const modules = { a: commonModule(a, rule.nameOf), b: commonModule(b, rule.nameOf) };
  return [...sets.values()].flatMap((set) => {
    if (set.a.length === 0 || set.b.length === 0) return [];
    return Math.max(set.a.length, set.b.length) > MAX_CHOICES ? sameBelow(set, modules, rule.nameOf) : pairSet(set, rule);
  });
}

function pairSet<T>(set: Unpaired<T>, rule: EqualRule<T>): EqualPair<T>[] {
  const pairs: EqualPair<T>[] = [];
  let rest = set;
  for (;;) {
    const [a] = rest.a;
    const [b] = rest.b;
    if (a === undefined || b === undefined) return pairs;
    if (rest.a.length === 1 && rest.b.length === 1) {
      if (nameLikeness(rule.nameOf(a), rule.nameOf(b)) >= LIKE_ENOUGH || !rule.isCommon({ a, b })) pairs.push({ a, b });
      return pairs;
    }
    const found = mutuallyLikest(rest, rule.nameOf);
    if (found.length === 0) return pairs;
    pairs.push(...found);
    rest = withoutPairs(rest, found);
  }
}

export function withoutPairs<T>({ a, b }: Unpaired<T>, pairs: readonly EqualPair<T>[]): Unpaired<T> {
  const [usedA, usedB] = [new Set(pairs.map((pair) => pair.a)), new Set(pairs.map((pair) => pair.b))];
  return { a: a.filter((item) => !usedA.has(item)), b: b.filter((item) => !usedB.has(item)) };
}

/** Pairs that are each other's single likest by name, and at least half the same. */
export function mutuallyLikest<T>({ a, b }: Unpaired<T>, nameOf: (item: T) => string): EqualPair<T>[] {
  const table = b.map((now) => a.map((old) => nameLikeness(nameOf(old), nameOf(now))));
  const bestOfA = a.map((_old, column) => singleBest(table.map((row) => row[column] ?? 0)));
  return b.flatMap((now, row) => {
    const best = singleBest(table[row] ?? []);
    const old = best === null ? undefined : a[best];
    return best === null || old === undefined || bestOfA[best] !== row ? [] : [{ a: old, b: now }];
  });
}

function singleBest(likeness: readonly number[]): number | null {
  let best = -1;
  let isSingle = false;
  for (const [index, value] of likeness.entries()) {
    const top = likeness[best] ?? LIKE_ENOUGH;
    if (value > top || (best < 0 && value >= top)) [best, isSingle] = [index, true];
    else if (value === top) isSingle = false;
  }
  return best >= 0 && isSingle ? best : null;
}

/** Names that are equal below the module that all of their side are in. */
export function sameBelow<T>({ a, b }: Unpaired<T>, modules: { readonly a: string; readonly b: string }, nameOf: (item: T) => string): EqualPair<T>[] {
  const below = new Map(a.map((old) => [nameOf(old).slice(modules.a.length), old]));
  return b.flatMap((now) => {
    const old = below.get(nameOf(now).slice(modules.b.length));
    return old === undefined ? [] : [{ a: old, b: now }];
  });
}

/** The module that all are in, with its separator at the end; empty when there is none. */
export function commonModule<T>(items: readonly T[], nameOf: (item: T) => string): string {
  const [first] = items;
  let common = first === undefined ? '' : nameOf(first);
  for (const item of items) {
    const name = nameOf(item);
    while (!name.startsWith(common)) common = common.slice(0, -1);
  }
  return common.slice(0, Math.max(common.lastIndexOf('.'), common.lastIndexOf('/')) + 1);
}
