import type { FileTemplate, TemplateGroup } from './fileTemplate';

/** Whether two templates make the same file of the same values. The order of the groups does not matter to that. */
export function equalTemplates(a: FileTemplate, b: FileTemplate): boolean {
  return a.bytes === b.bytes && Buffer.compare(a.literals, b.literals) === 0 && structure(a) === structure(b);
}

/** Groups are named by their keys wherever one is meant, as the same group has another index in another order. */
function structure({ groups, segments, entries }: FileTemplate): string {
  const nameOf = (index: number) => JSON.stringify(groups[index]?.keys ?? null);
  const described = groups.map(({ keys, dtype, shape, place }: TemplateGroup) =>
    JSON.stringify([keys, dtype, shape, place.kind === 'same' ? nameOf(place.as) : place]),
  );
  const parts = segments.map((segment) => (segment.kind === 'tensor' ? nameOf(segment.group) : segment));
  return JSON.stringify([described.sort(), parts, entries]);
}
