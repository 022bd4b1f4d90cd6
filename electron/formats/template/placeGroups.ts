import { tensorBytes } from '../../../shared/model/shape';
import type { SourceRef } from '../../bytes/byteSource';
import type { TensorRef } from '../../tensors/tensorRef';
import type { FileGroup } from '../format';

/** A range of the file that is all of a group's value. */
export interface TensorRange {
  readonly offset: number;
  readonly bytes: number;
  /** Index among the groups. */
  readonly group: number;
}

export type GroupPlace =
  | { readonly kind: 'segment' }
  /** `as`: index of the group that has the segment. */
  | { readonly kind: 'same'; readonly as: number }
  | { readonly kind: 'fixed' }
  | { readonly kind: 'empty' };

export interface PlacedGroups {
  /** By offset; none overlaps another. */
  readonly ranges: readonly TensorRange[];
  /** In the order of the groups. */
  readonly places: readonly GroupPlace[];
}

/**
 * Which ranges of the file are which groups' values. Of groups that overlap the largest gets the range, the first among equals, so that
 * a view of a tensor never cuts it in two.
 * @param options.total size of the file in bytes.
 * @param options.ref how the file was opened when its headers were read; `undefined`: as a whole, and all tensors on disk are its own.
 */
export function placeGroups(groups: readonly FileGroup[], options: { readonly total: number; readonly ref: SourceRef | undefined }): PlacedGroups {
  const candidates: TensorRange[] = [];
  const places = groups.map(({ dtype, shape, data }, group): GroupPlace => {
    const bytes = tensorBytes(dtype, shape);
    if (bytes === 0) return { kind: 'empty' };
    const offset = 'code' in data ? null : contiguousOffset(data, options.ref);
    if (offset !== null && offset >= 0 && offset + bytes <= options.total) candidates.push({ offset, bytes, group });
    return { kind: 'fixed' };
  });
  const ranges = withoutOverlaps(candidates);
  const owners = new Map(ranges.map((range) => [rangeKey(range), range.group]));
  for (const range of candidates) {
    const owner = owners.get(rangeKey(range));
    if (owner !== undefined) places[range.group] = owner === range.group ? { kind: 'segment' } : { kind: 'same', as: owner };
  }
  return { ranges, places };
}

function rangeKey({ offset, bytes }: TensorRange): string {
  return `${offset}+${bytes}`;
}

/** Offset in the file of a tensor whose raw bytes stand there as they are; `null` for any other. */
function contiguousOffset({ source, offset, strides, bigEndian }: TensorRef, ref: SourceRef | undefined): number | null {
  if (strides !== null || bigEndian) return null;
  if (source.kind === 'memory') return ref?.kind === 'memory' && source.bytes === ref.bytes ? offset : null;
  const inWhole = (source.range?.offset ?? 0) + offset;
  if (ref === undefined) return inWhole;
  if (ref.kind !== 'file' || source.path !== ref.path) return null;
  return inWhole - (ref.range?.offset ?? 0);
}

/** Groups that overlap lie in clusters, nearly always of one; inside a cluster the largest chooses first. */
function withoutOverlaps(candidates: readonly TensorRange[]): TensorRange[] {
  const byOffset = [...candidates].sort((a, b) => a.offset - b.offset);
  const kept: TensorRange[] = [];
  let cluster: TensorRange[] = [];
  let end = 0;
  for (const range of byOffset) {
    if (range.offset >= end) {
      kept.push(...largestFirst(cluster));
      cluster = [];
    }
    cluster.push(range);
    end = Math.max(end, range.offset + range.bytes);
  }
  return [...kept, ...largestFirst(cluster)].sort((a, b) => a.offset - b.offset);
}

function largestFirst(cluster: readonly TensorRange[]): readonly TensorRange[] {
  if (cluster.length < 2) return cluster;
  const taken = new RangeSet();
  return [...cluster].sort((a, b) => b.bytes - a.bytes || a.group - b.group).filter(({ offset, bytes }) => taken.add(offset, offset + bytes));
}

/** Disjoint ranges by their start. */
class RangeSet {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Adds [start, end) unless it overlaps one that is there; says whether it did. */
  add(start: number, end: number): boolean {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && (this.#ends[low - 1] ?? 0) > start) return false;
    if (low < this.#starts.length && (this.#starts[low] ?? 0) < end) return false;
    this.#starts.splice(low, 0, start);
    this.#ends.splice(low, 0, end);
    return true;
  }
}
