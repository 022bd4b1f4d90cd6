import type { FileCheckpoint } from '../../formats/format';

/** What is said of values that lie in other files: git hands a filter one file, so a version of it cannot hold what others have. */
export function externalNotes({ groups }: Pick<FileCheckpoint, 'groups'>): string[] {
  const counts = new Map<string, number>();
  for (const { external } of groups) if (external !== undefined) counts.set(external, (counts.get(external) ?? 0) + 1);
  return [...counts].map(([file, count]) => {
    const groupsOf = count === 1 ? '1 parameter group lies' : `${count} parameter groups lie`;
    return `The values of ${groupsOf} in ${JSON.stringify(file)}: git keeps that file by itself, and it must be committed beside the model (for large ones with Git LFS).`;
  });
}
