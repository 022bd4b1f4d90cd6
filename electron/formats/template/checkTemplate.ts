import { possibleTensorBytes } from '../../../shared/model/shape';
import type { FileTemplate, TemplateGroup } from './fileTemplate';

/**
 * What is wrong with a template, as the rest of a sentence; `null` for a sound one: the segments make up the file, every group stands in
 * one place, and nothing is computed from itself.
 */
export function checkTemplate(template: FileTemplate): string | null {
  return checkSizes(template) ?? checkGroups(template) ?? checkEntries(template);
}

function checkSizes({ segments, bytes, literals }: FileTemplate): string | null {
  let total = 0;
  let literal = 0;
  for (const segment of segments) {
    total += segment.bytes;
    if (segment.kind === 'literal') literal += segment.bytes;
    if (!Number.isSafeInteger(total)) return 'it has more bytes than any file';
  }
  if (total !== bytes) return 'its parts do not add up to the file';
  return literal === literals.byteLength ? null : 'its literal bytes are not all there';
}

function checkGroups({ segments, groups }: FileTemplate): string | null {
  const placed = new Set<number>();
  for (const segment of segments) {
    if (segment.kind !== 'tensor') continue;
    if (placed.has(segment.group)) return 'it has a group in two places';
    placed.add(segment.group);
    if (groups[segment.group]?.place.kind !== 'segment') return 'it has a group both in the file and elsewhere';
  }
  const names = new Set<string>();
  for (const [index, group] of groups.entries()) {
    const name = JSON.stringify(group.keys);
    if (names.has(name)) return 'it names a group twice';
    names.add(name);
    const problem = checkPlace(group, { groups, placed: placed.has(index) });
    if (problem !== null) return problem;
  }
  return null;
}

function checkPlace({ dtype, shape, place }: TemplateGroup, { groups, placed }: { groups: readonly TemplateGroup[]; placed: boolean }): string | null {
  const bytes = possibleTensorBytes(dtype, shape);
  if (bytes === null) return 'it has a group that is larger than any tensor';
  if (place.kind === 'segment' && !placed) return 'it has a group that is nowhere';
  if (place.kind !== 'same') return null;
  const other = groups[place.as];
  if (other?.place.kind !== 'segment' || possibleTensorBytes(other.dtype, other.shape) !== bytes)
    return 'it has a group that is the same as one that it cannot be';
  return null;
}

/** Entries are apart; no checksum stands in data that has one; a digest counts entries only before the one that it stands in. */
function checkEntries({ segments, entries }: FileTemplate): string | null {
  const owner = new Int32Array(segments.length).fill(-1);
  for (const [index, { first, count }] of entries.entries()) {
    if (first < 0 || count < 0 || first + count > segments.length) return 'it has an entry outside the file';
    for (let at = first; at < first + count; at++) {
      if (owner[at] !== -1) return 'two of its entries overlap';
      owner[at] = index;
    }
  }
  if (segments.filter(({ kind }) => kind === 'content-id').length > 1) return 'it has two digests';
  for (const [at, segment] of segments.entries()) {
    const inside = owner[at] ?? -1;
    if (segment.kind === 'checksum') {
      if (segment.entry < 0 || segment.entry >= entries.length) return 'it has the checksum of an entry that it does not have';
      if (inside !== -1) return 'a checksum stands in data that has one';
    } else if (segment.kind === 'content-id' && (segment.entries > entries.length || (inside !== -1 && inside < segment.entries))) {
      return 'a digest counts what it stands in';
    }
  }
  return null;
}
