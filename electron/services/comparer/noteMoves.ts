import { throwIfCancelled } from '../../../shared/contract/cancelled';
import type { OpenedGroup } from '../checkpoints/openedCheckpoint';
import { valueId } from './comparedCheckpoint';
import { digestWithin, kindOf } from './matchContents';
import type { MatchContext } from './matchContext';
import { isSameKind, type Pair } from './pairNames';

/** Groups whose files are looked into for moved values; more of them would take longer than opening the comparison should. */
const MAX_LOOKED_AT = 5000;
const MAX_NOTES = 20;

interface Move {
  /** Name in `a` of the value that `to` has in `b`. */
  readonly from: string;
  readonly to: string;
}

/**
 * Groups that keep their names while values changed places, such as two layers in another order: they stay matched by name, and the notes say
 * which value of `a` is where in `b`. Matrices only; told by what git says, or by sampled bytes that the SHA-256 then confirms.
 */
export async function noteMoves(pairs: readonly Pair[], context: MatchContext): Promise<readonly string[]> {
  const changed = pairs.filter(({ a, b, change }) => change !== 'unchanged' && a.group.shape.length >= 2 && isSameKind(a, b));
  const moves = [...movesById(changed, context), ...(changed.length <= MAX_LOOKED_AT ? await movesBySample(changed, context) : [])];
  return describeMoves([...new Map(moves.map((move) => [move.to, move])).values()]);
}

function movesById(changed: readonly Pair[], { sides }: MatchContext): Move[] {
  const olds = uniqueBy(changed, ({ a }) => keyOf(a, valueId(sides.a, a)?.id ?? null));
  return changed.flatMap(({ b }) => {
    const old = olds.get(keyOf(b, valueId(sides.b, b)?.id ?? null) ?? '');
    return old === undefined || old.a.group.name === b.group.name ? [] : [{ from: old.a.group.name, to: b.group.name }];
  });
}

async function movesBySample(changed: readonly Pair[], context: MatchContext): Promise<Move[]> {
  const { sampler, sides, signal } = context;
  const samples = new Map<OpenedGroup, string | null>();
  for (const { a, b } of changed) {
    throwIfCancelled(signal);
    for (const group of [a, b]) samples.set(group, (await sampler.sample(group))?.hash ?? null);
  }
  const olds = uniqueBy(changed, ({ a }) => keyOf(a, samples.get(a) ?? null));
  const moves: Move[] = [];
  for (const { b } of changed) {
    const old = olds.get(keyOf(b, samples.get(b) ?? null) ?? '');
    if (old === undefined || old.b === b) continue;
    const [before, after] = [await digestWithin(sides.a, old.a, context), await digestWithin(sides.b, b, context)];
    if (before !== null && before !== 'too much' && before === after) moves.push({ from: old.a.group.name, to: b.group.name });
  }
  return moves;
}

function keyOf(group: OpenedGroup, key: string | null): string | null {
  return key === null ? null : `${kindOf(group)} ${key}`;
}

/** Pairs by a key that no other has. */
function uniqueBy(pairs: readonly Pair[], key: (pair: Pair) => string | null): ReadonlyMap<string, Pair> {
  const found = new Map<string, Pair | null>();
  for (const pair of pairs) {
    const own = key(pair);
    if (own !== null) found.set(own, found.has(own) ? null : pair);
  }
  return new Map([...found].flatMap(([own, pair]) => (pair === null ? [] : [[own, pair] as const])));
}

/** One sentence for all groups that moved from one module to another. */
export function describeMoves(moves: readonly Move[]): readonly string[] {
  const modules = new Map<string, { readonly from: string; readonly to: string; groups: number }>();
  for (const move of moves) {
    const { from, to } = differingModules(move);
    const key = JSON.stringify([from, to]);
    const known = modules.get(key) ?? { from, to, groups: 0 };
    known.groups++;
    modules.set(key, known);
  }
  const notes: string[] = [];
  const told = new Set<string>();
  for (const [key, { from, to, groups }] of modules) {
    const back = JSON.stringify([to, from]);
    if (told.has(key)) continue;
    told.add(key);
    const many = groups === 1 ? '1 matrix' : `${groups} matrices`;
    if (modules.get(back)?.groups === groups) {
      told.add(back);
      notes.push(`${from} and ${to} have changed places (${many} each).`);
    } else {
      notes.push(`What ${from} holds in A, ${to} holds in B (${many}).`);
    }
  }
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `${more} more modules hold in B what others hold in A.`] : notes;
}

/** Both names without the components that they share at their ends. */
function differingModules({ from, to }: Move): Move {
  let end = 0;
  for (let i = 1; i <= Math.min(from.length, to.length) && from.at(-i) === to.at(-i); i++) {
    if (from.at(-i) === '.' || from.at(-i) === '/') end = i;
  }
  return end === 0 ? { from, to } : { from: from.slice(0, -end), to: to.slice(0, -end) };
}
