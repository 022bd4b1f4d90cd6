import { crc32 } from 'node:zlib';
import { CheckpointError } from '../../../shared/contract/errors';
import { sameShape } from '../../../shared/model/shape';
import type { FileLayout, GroupToWrite, Placed, TensorChecksums } from '../format';
import { combineCrc32 } from '../npz/combineCrc32';
import { contentId } from './contentId';
import { CHECKSUM_BYTES, type FileTemplate, type TemplateSegment } from './fileTemplate';

/** Segments between two tensors. */
interface Run {
  readonly offset: number;
  readonly segments: readonly { readonly segment: TemplateSegment; readonly literal: Uint8Array | null }[];
  readonly computed: boolean;
}

/**
 * The plan of a file from its template and the groups whose values are to fill it. Groups that share the bytes of another, or whose bytes
 * the template holds, have the offset `null`; `misfits` says whether their values are what the file will hold.
 * @returns `null` when the groups are not those of the template: another name, dtype or shape, one missing or one more.
 */
export function layoutFromTemplate(template: FileTemplate, groups: readonly GroupToWrite[]): FileLayout | null {
  const order = matchGroups(template, groups);
  if (order === null) return null;
  const { runs, offsets } = locate(template);
  const tensors = new Array<number | null>(groups.length).fill(null);
  for (const [index, given] of order.entries()) tensors[given] = offsets.get(index) ?? null;
  const computed = runs.filter((run) => run.computed);
  return {
    bytes: template.bytes,
    pieces: runs.filter((run) => !run.computed).map((run) => join(run, () => new Uint8Array())),
    tensors,
    finish: computed.length === 0 ? null : (checksums) => finish(template, { computed, order, checksums }),
    misfits: (digests) => misfits(template, order, digests),
    notes: [],
  };
}

/** For each group of the template the index of the one given for it. */
function matchGroups(template: FileTemplate, groups: readonly GroupToWrite[]): readonly number[] | null {
  if (groups.length !== template.groups.length) return null;
  const given = new Map(groups.map(({ keys }, index) => [JSON.stringify(keys), index]));
  const order: number[] = [];
  for (const { keys, dtype, shape } of template.groups) {
    const index = given.get(JSON.stringify(keys));
    const group = index === undefined ? undefined : groups[index];
    if (index === undefined || group === undefined || group.dtype !== dtype || !sameShape(group.shape, shape)) return null;
    order.push(index);
  }
  return order;
}

/** Offsets of the tensors by group of the template, and what lies between them. */
function locate(template: FileTemplate): { runs: Run[]; offsets: ReadonlyMap<number, number> } {
  const offsets = new Map<number, number>();
  const runs: Run[] = [];
  let parts: { segment: TemplateSegment; literal: Uint8Array | null }[] = [];
  let start = 0;
  let position = 0;
  let literal = 0;
  const flush = () => {
    if (parts.length > 0) runs.push({ offset: start, segments: parts, computed: parts.some(({ segment }) => segment.kind !== 'literal') });
    parts = [];
  };
  for (const segment of template.segments) {
    if (segment.kind === 'tensor') {
      flush();
      offsets.set(segment.group, position);
      start = position + segment.bytes;
    } else {
      const isLiteral = segment.kind === 'literal';
      parts.push({ segment, literal: isLiteral ? template.literals.subarray(literal, literal + segment.bytes) : null });
      if (isLiteral) literal += segment.bytes;
    }
    position += segment.bytes;
  }
  flush();
  return { runs, offsets };
}

function join(run: Run, compute: (segment: TemplateSegment) => Uint8Array): Placed {
  const [only, second] = run.segments;
  if (only !== undefined && only.literal !== null && second === undefined) return { offset: run.offset, bytes: only.literal };
  return { offset: run.offset, bytes: Buffer.concat(run.segments.map(({ segment, literal }) => literal ?? compute(segment))) };
}

interface FinishOptions {
  readonly computed: readonly Run[];
  readonly order: readonly number[];
  readonly checksums: TensorChecksums;
}

function finish(template: FileTemplate, { computed, order, checksums }: FinishOptions): Placed[] {
  const sums = entryChecksums(template, (group) => checksums[order[group] ?? -1] ?? 0);
  return computed.map((run) =>
    join(run, (segment) => {
      if (segment.kind === 'checksum') return littleEndian(sums.entries[segment.entry] ?? 0);
      if (segment.kind === 'content-id') return sums.contentId(segment.entries);
      throw new CheckpointError('internal', `A ${segment.kind} segment is not computed.`);
    }),
  );
}

interface EntryChecksums {
  /** CRC-32 of the data of each entry. */
  readonly entries: readonly number[];
  readonly contentId: (entries: number) => Uint8Array;
}

/**
 * Entries in their order: a digest that stands in one counts only entries before it.
 * @param tensor CRC-32 of a group's value, by its index in the template.
 */
function entryChecksums(template: FileTemplate, tensor: (group: number) => number): EntryChecksums {
  const literalOffsets: number[] = [];
  let literal = 0;
  for (const segment of template.segments) {
    literalOffsets.push(literal);
    if (segment.kind === 'literal') literal += segment.bytes;
  }
  const entries: number[] = [];
  const idOf = (count: number) => contentId(entries.slice(0, count).filter((_, index) => template.entries[index]?.count !== 0));
  for (const { first, count } of template.entries) {
    let sum = 0;
    for (let index = first; index < first + count; index++) {
      const segment = template.segments[index];
      if (segment === undefined) break;
      const start = literalOffsets[index] ?? 0;
      sum = combineCrc32(sum, partChecksum(segment, { tensor, idOf, literal: () => template.literals.subarray(start, start + segment.bytes) }), segment.bytes);
    }
    entries.push(sum);
  }
  return { entries, contentId: idOf };
}

interface PartSources {
  readonly tensor: (group: number) => number;
  readonly idOf: (entries: number) => Uint8Array;
  readonly literal: () => Uint8Array;
}

function partChecksum(segment: TemplateSegment, { tensor, idOf, literal }: PartSources): number {
  switch (segment.kind) {
    case 'tensor':
      return tensor(segment.group);
    case 'literal':
      return crc32(literal());
    case 'content-id':
      return crc32(idOf(segment.entries));
    case 'checksum':
      throw new CheckpointError('internal', 'A checksum stands in data that has one.');
  }
}

function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(CHECKSUM_BYTES);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** Given groups whose values are not those that the file holds for them. */
function misfits({ groups }: FileTemplate, order: readonly number[], digests: readonly string[]): number[] {
  const found: number[] = [];
  for (const [index, { place }] of groups.entries()) {
    const given = order[index] ?? -1;
    const expected = place.kind === 'fixed' ? place.sha256 : place.kind === 'same' ? digests[order[place.as] ?? -1] : null;
    if (expected !== null && digests[given] !== expected) found.push(given);
  }
  return found;
}
