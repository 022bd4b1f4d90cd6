import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { sameShape } from '../../../shared/model/shape';
import { isPlan, type OpenedGroup } from '../checkpoints/openedCheckpoint';
import { asFileTensor, createSmallReader, isSmall, type SmallReader } from '../checkpoints/sameBytes';
import { mapLimited } from '../mapLimited';
import { valueId } from './comparedCheckpoint';
import type { MatchContext } from './matchContext';

/** Small tensors are compared as they are met, up to this many bytes in all. */
const MAX_SMALL_TOTAL = 64 * 1024 * 1024;
const CONCURRENT_LOOKUPS = 32;

/** A group of `a` and what it became in `b`. */
export interface Pair {
  readonly a: OpenedGroup;
  readonly b: OpenedGroup;
  /** `unknown` where only the values can tell and nobody has read them yet. */
  readonly change: 'unchanged' | 'modified' | 'unknown';
}

export interface NamePairs {
  readonly pairs: readonly Pair[];
  readonly onlyA: readonly OpenedGroup[];
  readonly onlyB: readonly OpenedGroup[];
}

/** Groups of the same name, with what is known of them without reading more than small tensors. */
export async function pairNames(context: MatchContext): Promise<NamePairs> {
  const { a, b } = context.sides;
  const shared = [...b.opened.groups.values()].flatMap((now) => {
    const old = a.opened.groups.get(now.group.name);
    return old === undefined ? [] : [{ a: old, b: now }];
  });
  const first = await mapLimited(shared, (pair) => judge(pair, context), { limit: CONCURRENT_LOOKUPS });
  const pairs: Pair[] = [];
  const small = createSmallReader();
  let bytes = 0;
  try {
    for (const [index, pair] of shared.entries()) {
      throwIfCancelled(context.signal);
      let change = first[index] ?? 'unknown';
      if (change === 'unknown' && bytes < MAX_SMALL_TOTAL && isSmall(pair.b.group.bytes)) {
        bytes += pair.b.group.bytes;
        change = await compareSmall(pair, small);
      }
      pairs.push({ ...pair, change });
    }
  } finally {
    await small.close();
  }
  return {
    pairs,
    onlyA: [...a.opened.groups.values()].filter(({ group }) => !b.opened.groups.has(group.name)),
    onlyB: [...b.opened.groups.values()].filter(({ group }) => !a.opened.groups.has(group.name)),
  };
}

type Both = Pick<Pair, 'a' | 'b'>;

export function isSameKind({ group: a }: OpenedGroup, { group: b }: OpenedGroup): boolean {
  return a.dtype === b.dtype && sameShape(a.shape, b.shape);
}

function isDense({ group }: OpenedGroup): boolean {
  return group.updateType === 'dense' && group.oid !== null;
}

async function judge({ a, b }: Both, { sides, digests }: MatchContext): Promise<Pair['change']> {
  if (!isSameKind(a, b)) return 'modified';
  // The same whole value, though its object may be missing.
  if (isDense(a) && isDense(b) && a.group.oid === b.group.oid) return 'unchanged';
  const ids = [valueId(sides.a, a), valueId(sides.b, b)];
  if (ids[0] != null && ids[0].id === ids[1]?.id) return 'unchanged';
  const [before, after] = await Promise.all([digests.known(sides.a, a), digests.known(sides.b, b)]);
  if (before === null || after === null) return 'unknown';
  return before === after ? 'unchanged' : 'modified';
}

async function compareSmall({ a, b }: Both, small: SmallReader): Promise<Pair['change']> {
  const places = [a.plan, b.plan].map((plan) => (isPlan(plan) && plan.kind === 'ref' ? asFileTensor(plan.ref) : null));
  const [first, second] = places;
  if (first == null || second == null || first.ref.bigEndian !== second.ref.bigEndian) return 'unknown';
  return small.same(first, second, b.group.bytes).then(
    (same) => (same ? 'unchanged' : 'modified'),
    () => 'unknown',
  );
}
