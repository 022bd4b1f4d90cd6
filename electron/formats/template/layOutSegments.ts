import type { TemplateEntry, TemplateSegment } from './fileTemplate';

/** A segment that is not literal, and its offset in the file. */
export interface Mark {
  readonly offset: number;
  readonly segment: TemplateSegment;
}

interface Range {
  readonly offset: number;
  readonly bytes: number;
}

export interface LaidOut {
  readonly segments: readonly TemplateSegment[];
  readonly entries: readonly TemplateEntry[];
  /** Ranges of the file that the literal segments are, in order. */
  readonly literals: readonly Range[];
}

/**
 * The segments of a file: the marks and, between them, literal bytes, cut where the data of an entry starts or ends.
 * @param marks by offset, none overlapping another or an edge of an entry.
 */
export function layOutSegments(marks: readonly Mark[], { total, entries }: { readonly total: number; readonly entries: readonly Range[] }): LaidOut {
  const cuts = [...new Set(entries.flatMap(({ offset, bytes }) => [offset, offset + bytes]))].sort((a, b) => a - b);
  const segments: TemplateSegment[] = [];
  const literals: Range[] = [];
  /** Index of the segment that starts at an offset, for every cut. */
  const startingAt = new Map<number, number>();
  let position = 0;
  let cut = 0;
  const advance = (end: number) => {
    while (position < end) {
      while (cut < cuts.length && (cuts[cut] ?? 0) <= position) cut++;
      const stop = Math.min(end, cuts[cut] ?? end);
      segments.push({ kind: 'literal', bytes: stop - position });
      literals.push({ offset: position, bytes: stop - position });
      position = stop;
      startingAt.set(position, segments.length);
    }
  };
  startingAt.set(0, 0);
  for (const { offset, segment } of marks) {
    advance(offset);
    segments.push(segment);
    position = offset + segment.bytes;
    startingAt.set(position, segments.length);
  }
  advance(total);
  const numbered = entries.map(({ offset, bytes }): TemplateEntry => {
    const first = startingAt.get(offset) ?? 0;
    return { first, count: bytes === 0 ? 0 : (startingAt.get(offset + bytes) ?? first) - first };
  });
  return { segments, entries: numbered, literals };
}
